import { type GroupSeen, wireNameOf } from '../../../../core/domain/group.ts';
import type { ListPage } from '../../../../core/domain/list-page.ts';
import { displayNameOf } from '../../../../core/domain/profile.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { listSchema, listShown } from '../../../../core/representations/v1/list.ts';
import { Type } from '../../../../core/schema.ts';
import { capabilitiesOf, type Person } from '../person.ts';

const text = Type.String();
const optionalText = Type.Optional(Type.String());
const flag = Type.Boolean();

/** A person. JSON leaves out members that are undefined. */
function json(person: Person) {
  const { userName, profile, enabled } = person;
  const { firstName, lastName, email, jobTitle, location, telephone, mobile, description } = profile;
  const { isAdmin, isGuest, isMutable } = capabilitiesOf(person);
  return {
    id: userName,
    firstName,
    lastName,
    displayName: displayNameOf(userName, profile),
    email,
    enabled,
    emailNotificationsEnabled: true,
    capabilities: { isAdmin, isGuest, isMutable },
    jobTitle,
    location,
    telephone,
    mobile,
    description,
    company: { organization: profile.organization },
  };
}

export const v1PersonShown: Representation<Person> = {
  schema: Type.Object({
    entry: Type.Object({
      id: text,
      firstName: optionalText,
      lastName: optionalText,
      displayName: text,
      email: optionalText,
      enabled: flag,
      emailNotificationsEnabled: flag,
      capabilities: Type.Object({ isAdmin: flag, isGuest: flag, isMutable: flag }),
      jobTitle: optionalText,
      location: optionalText,
      telephone: optionalText,
      mobile: optionalText,
      description: optionalText,
      company: Type.Object({ organization: optionalText }),
    }),
  }),
  json: (person) => ({ entry: json(person) }),
};

export const v1GroupsShown: Representation<ListPage<GroupSeen>> = {
  schema: listSchema(Type.Object({ id: text, displayName: text, isRoot: flag })),
  json: (page) =>
    listShown(page, ({ name, displayName, root }) => ({
      id: wireNameOf({ name }),
      displayName,
      isRoot: root,
    })),
};
