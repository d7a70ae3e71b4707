import { type Group, wireNameOf } from '../../../core/domain/group.ts';
import type { Profile } from '../../../core/domain/profile.ts';
import type { Representation, XmlElement } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';

/** The values of a user that the caller may see. */
export interface Person {
  /** As it is stored. */
  readonly userName: string;
  readonly enabled: boolean;
  readonly profile: Profile;
  /** Whether it has no password, as the guest of the reference. */
  readonly isGuest: boolean;
  /** Whether its effective role is administrator. */
  readonly isAdmin: boolean;
  /** Whether the caller may change it. */
  readonly isMutable: boolean;
}

/** A person as the web scripts show it. */
interface PersonShown {
  readonly person: Person;
  /** The base path that the caller used. */
  readonly basePath: string;
  /** Left out unless the caller asks for them. */
  readonly groups?: readonly Pick<Group, 'name' | 'displayName'>[] | undefined;
}

/** The rights of a person and of the caller over it, in the order of the reference. */
export const capabilitiesOf = ({ isGuest, isAdmin, isMutable }: Person) => ({ isGuest, isAdmin, isMutable });

const AS_HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The description as the reference gives it: clients put it into their pages as HTML. */
const asHtml = (text: string) => text.replace(/[&<>]/g, (character) => AS_HTML[character] as string);

/** The name of a site's group is shown instead of its display name, as in the reference. */
const shownGroup = ({ name, displayName }: Pick<Group, 'name' | 'displayName'>) => ({
  itemName: wireNameOf({ name }),
  displayName: name.startsWith('site') ? name : displayName,
});

/** The members about the person itself, in the order of the reference. Null stands for an unknown value. */
function detailsOf({ person: { userName, enabled, profile, isAdmin }, basePath }: PersonShown) {
  const { description } = profile;
  return {
    url: `${basePath}/api/people/${userName}`,
    userName,
    enabled,
    firstName: profile.firstName ?? null,
    lastName: profile.lastName ?? null,
    jobtitle: profile.jobTitle ?? null,
    organization: profile.organization ?? null,
    organizationId: null,
    location: profile.location ?? null,
    telephone: profile.telephone ?? null,
    mobile: profile.mobile ?? null,
    email: profile.email ?? null,
    companyaddress1: null,
    companyaddress2: null,
    companyaddress3: null,
    companypostcode: null,
    companytelephone: null,
    companyfax: null,
    companyemail: null,
    skype: null,
    instantmsg: null,
    userStatus: null,
    userStatusTime: null,
    googleusername: null,
    quota: -1,
    sizeCurrent: 0,
    emailFeedDisabled: false,
    persondescription: description === undefined ? null : asHtml(description),
    authorizationStatus: null,
    isDeleted: false,
    isAdminAuthority: isAdmin,
  };
}

function json(view: PersonShown) {
  const { person, groups } = view;
  const alone = { ...detailsOf(view), capabilities: capabilitiesOf(person) };
  return groups === undefined ? alone : { ...alone, groups: groups.map(shownGroup), immutability: {} };
}

/** A JSON text with the escapes of the reference: a slash too, and all characters beyond ASCII. */
function quoted(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const lines = (...each: readonly string[]) => each.map((line) => `${line}\r\n`).join('');

function capabilitiesText(person: Person): string {
  const each = Object.entries(capabilitiesOf(person)).map(
    ([name, is], at) => `\t\t${at === 0 ? '' : ','}"${name}":\r\n\t\t${is}\r\n\t\t`,
  );
  return lines('\t"capabilities":', '\t{') + each.join('');
}

function groupsText(groups: NonNullable<PersonShown['groups']>): string {
  const each = groups.map(shownGroup).map(({ itemName, displayName }) => {
    return `${lines('\t{', `\t\t"itemName": ${quoted(itemName)},`, `\t\t"displayName": ${quoted(displayName)}`)}\t}`;
  });
  return `${lines('\t"groups": [')}${each.join(',')}${lines('],', '\t"immutability":', '\t{', '\t}')}`;
}

/** The document to the byte as the reference writes it: its lines end with CR and LF, and one has a space at its end. */
function jsonText(view: PersonShown): string {
  const { person, groups } = view;
  const details = Object.entries(detailsOf(view)).map(([name, value]) => {
    const comma = name === 'isAdminAuthority' ? '' : name === 'organizationId' ? ', ' : ',';
    return `\t"${name}": ${quoted(value)}${comma}`;
  });
  const capabilities = capabilitiesText(person);
  const rest = groups === undefined ? lines('\t}') : lines('\t},') + groupsText(groups);
  return `${lines('{', ...details, ',')}${capabilities}${rest}${lines('}')}`;
}

function xml(view: PersonShown): XmlElement {
  const { person, groups } = view;
  const leaves = (object: object) =>
    Object.entries(object).map(([name, value]): XmlElement => [name, value === null ? '' : String(value)]);
  const alone: XmlElement[] = [...leaves(detailsOf(view)), ['capabilities', leaves(capabilitiesOf(person))]];
  if (groups === undefined) return ['person', alone];
  const each = groups.map(shownGroup).map((group): XmlElement => ['group', leaves(group)]);
  return ['person', [...alone, ['groups', each], ['immutability', []]]];
}

const text = Type.String();
const flag = Type.Boolean();
/** A text that may be unknown; in xml an empty element. */
const nullableText = Type.Union([Type.String(), Type.Null()]);

const schema = Type.Object(
  {
    url: text,
    userName: text,
    enabled: flag,
    firstName: nullableText,
    lastName: nullableText,
    jobtitle: nullableText,
    organization: nullableText,
    organizationId: nullableText,
    location: nullableText,
    telephone: nullableText,
    mobile: nullableText,
    email: nullableText,
    companyaddress1: nullableText,
    companyaddress2: nullableText,
    companyaddress3: nullableText,
    companypostcode: nullableText,
    companytelephone: nullableText,
    companyfax: nullableText,
    companyemail: nullableText,
    skype: nullableText,
    instantmsg: nullableText,
    userStatus: nullableText,
    userStatusTime: nullableText,
    googleusername: nullableText,
    quota: Type.Integer(),
    sizeCurrent: Type.Integer(),
    emailFeedDisabled: flag,
    persondescription: nullableText,
    authorizationStatus: nullableText,
    isDeleted: flag,
    isAdminAuthority: flag,
    capabilities: Type.Object({ isGuest: flag, isAdmin: flag, isMutable: flag }),
    groups: Type.Optional(
      Type.Array(Type.Object({ itemName: text, displayName: text }, { xml: { name: 'group' } }), {
        xml: { wrapped: true },
      }),
    ),
    immutability: Type.Optional(Type.Object({})),
  },
  { title: 'Person', xml: { name: 'person' } },
);

/** A person in the order and the layout of the reference. */
export const personShown = { schema, json, jsonText, xml } satisfies Representation<PersonShown>;
