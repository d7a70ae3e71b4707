import { V1_CALL } from '../../../../core/api.ts';
import type { Profile } from '../../../../core/domain/profile.ts';
import { Type } from '../../../../core/schema.ts';

/** What the operations have in common by which Alfresco's tools administer people and groups. */
export const V1_ADMINISTRATION = {
  ...V1_CALL,
  authentication: 'admin',
  role: 'administrator',
  access: 'write',
} as const;

const text = (description: string) => Type.Optional(Type.String({ description }));

/** The members of a body about a person that are kept here. A member that is not kept is refused, so that nothing is lost. */
export const personMembers = {
  firstName: text('The first name.'),
  lastName: text('The last name.'),
  email: text('The address for mail.'),
  jobTitle: text('The job title.'),
  location: text('Where the person works.'),
  telephone: text('A telephone number.'),
  mobile: text('A mobile number.'),
  description: text('A text about the person.'),
  company: Type.Optional(
    Type.Object({ organization: text('The organization.') }, { additionalProperties: false }),
  ),
  enabled: Type.Optional(
    Type.Boolean({ description: 'Whether the person may log in. Disabling ends all tickets for good.' }),
  ),
  password: Type.Optional(
    Type.String({
      description: 'The password. The sign-in page asks the person for a new one.',
      examples: ['four quiet rivers meeting'],
    }),
  ),
  emailNotificationsEnabled: Type.Optional(
    Type.Literal(true, { description: 'true, which is what every person has here.' }),
  ),
  aspectNames: Type.Optional(Type.Array(Type.String(), { maxItems: 0, description: 'Empty.' })),
  properties: Type.Optional(Type.Object({}, { additionalProperties: false, description: 'Empty.' })),
};

/** A body about a person, with the members that say something about the profile. */
interface PersonBody extends Omit<Profile, 'organization'> {
  readonly company?: { readonly organization?: string };
}

/** The profile in a body. A missing field stays as it is. */
export function profileIn(body: PersonBody): Profile {
  const { firstName, lastName, email, jobTitle, location, telephone, mobile, description, company } = body;
  const fields = { firstName, lastName, email, jobTitle, location, telephone, mobile, description };
  const profile = { ...fields, organization: company?.organization };
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
}
