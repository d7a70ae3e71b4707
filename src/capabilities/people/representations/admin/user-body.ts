import { PROFILE_FIELDS, type ProfileField } from '../../../../core/domain/profile.ts';
import { ROLES } from '../../../../core/domain/role.ts';
import { oneOf } from '../../../../core/representations/admin/one-of.ts';
import { Type } from '../../../../core/schema.ts';

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

/** Whether the user has to choose a new password, as a member of a body. `fallback` says what it is if it is left out. */
export const mustChangePasswordMember = (fallback: string) =>
  Type.Optional(
    Type.Boolean({
      description: `Whether the sign-in page asks the user for a new password. Left out: ${fallback}.`,
    }),
  );

/** A role as a member of a body, or one of `more`, such as a word that takes a role away. */
export function roleMember<const M extends readonly string[]>(about: string, ...more: M) {
  const texts = [...ROLES, ...more] as const;
  const description = `one of ${texts.join(', ')}: ${about}`;
  return Type.Optional(oneOf(texts, { refusal: 'body_invalid', description }));
}
