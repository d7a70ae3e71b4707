import { PROFILE_FIELDS, type ProfileField } from '../../domain/profile.ts';
import { ROLES } from '../../domain/role.ts';
import { Type } from '../../schema.ts';

const EXAMPLES: Partial<Record<ProfileField, string>> = { email: 'someone@example.org' };

const field = (name: ProfileField) =>
  Type.Optional(
    Type.String({
      description: `${name}, one line of text of at most 1,024 bytes; an empty text removes it.`,
      ...(EXAMPLES[name] === undefined ? {} : { examples: [EXAMPLES[name]] }),
    }),
  );

/** The fields of a profile, as members of a body. */
export const profileMembers = Object.fromEntries(PROFILE_FIELDS.map((name) => [name, field(name)])) as Record<
  ProfileField,
  ReturnType<typeof field>
>;

/** A role as a member of a body, or one of `more`, such as a word that takes a role away. */
export function roleMember<const M extends string = never>(about: string, ...more: readonly M[]) {
  const texts = [...ROLES, ...more];
  return Type.Optional(
    Type.Union(
      texts.map((text) => Type.Literal(text)),
      { refusal: 'body_invalid', description: `one of ${texts.join(', ')}: ${about}` },
    ),
  );
}
