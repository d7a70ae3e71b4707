import { type Attributes, CORE_GROUP, CORE_USER, ENTERPRISE_USER } from '../attributes.ts';

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';

/** An attribute as a schema describes it (RFC 7643 section 7). A member that is not named has its default. */
function attribute(name: string, description: string, more: object = {}): Attributes {
  const usual = { type: 'string', multiValued: false, required: false, caseExact: false };
  const access = { mutability: 'readWrite', returned: 'default', uniqueness: 'none' };
  return { name, description, ...usual, ...access, ...more };
}

const readOnly = { mutability: 'readOnly' };

const complex = (
  name: string,
  description: string,
  subAttributes: readonly Attributes[],
  more: object = {},
) => attribute(name, description, { type: 'complex', subAttributes, ...more });

const EXTERNAL_ID = attribute('externalId', 'The identifier that the provisioning client gave.', {
  caseExact: true,
});

const reference = (name: string, description: string, to: readonly string[]) =>
  attribute(name, description, { type: 'reference', referenceTypes: to, caseExact: true, ...readOnly });

const USER_ATTRIBUTES: readonly Attributes[] = [
  attribute('userName', 'The name with which the user signs in.', { required: true, uniqueness: 'server' }),
  EXTERNAL_ID,
  complex('name', 'The parts of the name.', [
    attribute('formatted', 'First and last name, else the userName.', readOnly),
    attribute('familyName', 'The last name.'),
    attribute('givenName', 'The first name.'),
  ]),
  attribute('displayName', 'First and last name, else the userName.', readOnly),
  attribute('title', 'The job title.'),
  attribute('active', 'Whether the user may sign in. False ends all of its tickets.', { type: 'boolean' }),
  attribute('password', 'A password, for a user who signs in with one here.', {
    mutability: 'writeOnly',
    returned: 'never',
    caseExact: true,
  }),
  complex(
    'emails',
    'The e-mail address. One is kept: the primary one, else that of work.',
    [
      attribute('value', 'The address.'),
      attribute('type', 'work.', { canonicalValues: ['work'] }),
      attribute('primary', 'Always true.', { type: 'boolean' }),
    ],
    { multiValued: true },
  ),
  complex(
    'phoneNumbers',
    'The telephone numbers. One of each type is kept.',
    [
      attribute('value', 'The number.'),
      attribute('type', 'work or mobile.', { canonicalValues: ['work', 'mobile'] }),
    ],
    { multiValued: true },
  ),
  complex(
    'groups',
    'The groups that contain the user, by themselves or by groups in them.',
    [
      attribute('value', 'The id of the group.', { caseExact: true, ...readOnly }),
      reference('$ref', 'The address of the group.', ['Group']),
      attribute('display', 'The displayName of the group.', readOnly),
      attribute('type', 'direct or indirect.', { canonicalValues: ['direct', 'indirect'], ...readOnly }),
    ],
    { multiValued: true, ...readOnly },
  ),
];

const GROUP_ATTRIBUTES: readonly Attributes[] = [
  attribute('displayName', 'The name that people read.', { required: true, uniqueness: 'server' }),
  EXTERNAL_ID,
  complex(
    'members',
    'The users and the groups directly in the group.',
    [
      attribute('value', 'The id of the user or the group.', { caseExact: true, mutability: 'immutable' }),
      reference('$ref', 'The address of the user or the group.', ['User', 'Group']),
      attribute('display', 'The userName of the user, or the displayName of the group.', readOnly),
      attribute('type', 'User or Group.', { canonicalValues: ['User', 'Group'], ...readOnly }),
    ],
    { multiValued: true },
  ),
];

const ENTERPRISE_ATTRIBUTES = [attribute('organization', 'The company or organization.')];

const schema = (id: string, name: string, description: string, attributes: readonly Attributes[]) => ({
  schemas: [SCHEMA],
  id,
  name,
  description,
  attributes,
  meta: { resourceType: 'Schema', location: `/Schemas/${id}` },
});

/** The schemas of users and groups, each with its address below the base path. */
export const SCHEMAS = [
  schema(CORE_USER, 'User', 'A user.', USER_ATTRIBUTES),
  schema(ENTERPRISE_USER, 'EnterpriseUser', 'More about a user.', ENTERPRISE_ATTRIBUTES),
  schema(CORE_GROUP, 'Group', 'A group.', GROUP_ATTRIBUTES),
];

const resourceType = (name: string, schemaId: string, schemaExtensions: readonly object[]) => ({
  schemas: [RESOURCE_TYPE],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema: schemaId,
  schemaExtensions,
  meta: { resourceType: 'ResourceType', location: `/ResourceTypes/${name}` },
});

/** The types of resources (RFC 7643 section 6), each with its address below the base path. */
export const RESOURCE_TYPES = [
  resourceType('User', CORE_USER, [{ schema: ENTERPRISE_USER, required: false }]),
  resourceType('Group', CORE_GROUP, []),
];
