import type { ListPage } from '../../../../core/domain/list-page.ts';
import { displayNameOf } from '../../../../core/domain/profile.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { listSchema, listShown } from '../../../../core/representations/v1/list.ts';
import { Type } from '../../../../core/schema.ts';
import type { Person } from '../person.ts';

const text = Type.String();
const optionalText = Type.Optional(Type.String());
const flag = Type.Boolean();

/** A person. JSON leaves out members that are undefined. */
function json(person: ListedPerson, capabilities?: Pick<Person, 'isAdmin' | 'isGuest' | 'isMutable'>) {
  const { userName, profile, enabled } = person;
  const { firstName, lastName, email, jobTitle, location, telephone, mobile, description } = profile;
  return {
    id: userName,
    firstName,
    lastName,
    displayName: displayNameOf(userName, profile),
    email,
    enabled,
    emailNotificationsEnabled: true,
    capabilities,
    jobTitle,
    location,
    telephone,
    mobile,
    description,
    company: { organization: profile.organization },
  };
}

const capabilitiesSchema = Type.Object({ isAdmin: flag, isGuest: flag, isMutable: flag });

const personSchema = {
  id: text,
  firstName: optionalText,
  lastName: optionalText,
  displayName: text,
  email: optionalText,
  enabled: flag,
  emailNotificationsEnabled: flag,
  capabilities: capabilitiesSchema,
  jobTitle: optionalText,
  location: optionalText,
  telephone: optionalText,
  mobile: optionalText,
  description: optionalText,
  company: Type.Object({ organization: optionalText }),
};

export const v1PersonShown: Representation<Person> = {
  schema: Type.Object({ entry: Type.Object(personSchema) }),
  json: ({ isAdmin, isGuest, isMutable, ...person }) => ({
    entry: json(person, { isAdmin, isGuest, isMutable }),
  }),
};

/** A person in a list. As in the reference, a list does not say what each one may do. */
export type ListedPerson = Omit<Person, 'isAdmin' | 'isMutable' | 'isGuest'>;

export const v1PeopleShown: Representation<ListPage<ListedPerson>> = {
  schema: listSchema(Type.Object({ ...personSchema, capabilities: Type.Optional(capabilitiesSchema) })),
  json: (page) => listShown(page, (person) => json(person)),
};
