import { PROFILE_FIELDS, type ProfileField } from '../../../../core/domain/profile.ts';
import { ROLES } from '../../../../core/domain/role.ts';
import { Type } from '../../../../core/schema.ts';
import type { Html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { choiceField, lineField } from '../../../../faces/pages/parts/form.ts';

/** The values in a form about a user: what the browser sent, or the initial values. */
export type UserFields = Readonly<Record<string, string | undefined>>;

const text = Type.Optional(Type.String());

/** The fields of a profile and the role, as members of a form. */
export const userMembers = Object.fromEntries(
  [...PROFILE_FIELDS, 'role'].map((name) => [name, text]),
) as Record<ProfileField | 'role', typeof text>;

/** The role of a form as an operation takes it. An unknown one stays, and the operation refuses it. */
export const roleIn = ({ role }: UserFields) => (role === undefined ? {} : { role: role as 'none' });

/** The profile of a form. A field that it lacks stays as it is. */
export function profileIn(values: UserFields): { readonly [F in ProfileField]?: string } {
  const pairs = PROFILE_FIELDS.map((field) => [field, values[field]?.trim()] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

/** The fields of a profile, with these values. */
export const profileFields = (reader: Reader, values: UserFields, faults: UserFields = {}): readonly Html[] =>
  PROFILE_FIELDS.map((name) =>
    lineField(reader, {
      name,
      label: reader.say(`profile.${name}`),
      value: values[name],
      isOptional: true,
      type: name === 'email' ? 'email' : 'text',
      fault: faults[name],
    }),
  );

/** The choice of a role. */
export function roleField({ say }: Reader, value: string | undefined, fault?: string): Html {
  const choices = ['none' as const, ...ROLES].map((role) => ({ value: role, text: say(`role.${role}`) }));
  const hint = say('console.roleHint');
  return choiceField({ name: 'role', label: say('console.users.role'), hint, choices, value, fault });
}
