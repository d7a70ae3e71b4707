import { SPECIFIED_RELEASE } from '../../../core/domain/server-identity.ts';
import type { AnyOperation, Authentication } from '../../../core/operation.ts';
import { nameOf } from '../name.ts';
import { SHARED_HEADERS } from './headers.ts';
import { parametersOf } from './parameters.ts';
import { responsesOf, SharedResponses } from './responses.ts';
import { Schemas } from './schemas.ts';

/** The ways to authenticate (specification, section 5). */
const SECURITY_SCHEMES = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'A user name and password; or the name `ROLE_TICKET`, or none, with a ticket as the password.',
  },
  basic_ticket: {
    type: 'http',
    scheme: 'basic',
    description:
      'For the gate and administration alone: the name `ROLE_TICKET`, or none, with a ticket as the password.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'A ticket.' },
  access_token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token of an identity provider that the operator has named.',
  },
  api_key: {
    type: 'http',
    scheme: 'bearer',
    description: 'For administration alone: an API key, which begins with `tsk_`.',
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'The name and the secret of a registered client: `client_secret_basic` of OAuth 2.0.',
  },
  alf_ticket: { type: 'apiKey', in: 'query', name: 'alf_ticket', description: 'A ticket.' },
} as const;

const SECURITY: Readonly<Record<Authentication, readonly (keyof typeof SECURITY_SCHEMES)[]>> = {
  none: [],
  guest: ['basic', 'bearer', 'access_token', 'alf_ticket'],
  user: ['basic', 'bearer', 'access_token', 'alf_ticket'],
  client: ['client'],
  admin: ['api_key', 'bearer', 'basic_ticket', 'alf_ticket'],
};

/** For operations that accept tickets only. The query is for another service there. */
const FOR_TICKETS_ONLY = ['basic_ticket', 'bearer'] as const;

/** The security requirements of an operation: any one of them is enough. Empty if it needs none. */
function securityOf({
  authentication,
  ticketsOnly,
}: AnyOperation): Readonly<Record<string, readonly string[]>>[] {
  const schemes = ticketsOnly ? FOR_TICKETS_ONLY : SECURITY[authentication];
  const required = schemes.map((scheme) => ({ [scheme]: [] }));
  // An empty requirement makes the others optional (OpenAPI 3.1.1, section 4.8.30).
  return authentication === 'guest' ? [...required, {}] : required;
}

const INFO = {
  title: 'Tessera',
  version: SPECIFIED_RELEASE,
  summary: 'Ticket authentication and action definitions.',
  description:
    'Log in for a ticket, present it, and log out; list the action definitions that apply to a node. Every operation ' +
    'stands here as its descriptor says: the attributes of the specification are the members that begin with `x-`.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

/** Members of an object of the document. */
type DocumentMembers = Readonly<Record<string, unknown>>;

/** OpenAPI lists an operation once for each of its paths, and each needs an id of its own. */
const operationId = (operation: AnyOperation, template: `/${string}`) => {
  const nth = operation.paths.indexOf(template);
  return nth === 0 ? nameOf(operation) : `${nameOf(operation)}-${nth + 1}`;
};

function bodyOf({ input, bodyStyle }: AnyOperation, schemas: Schemas): DocumentMembers {
  if (input.body === undefined) return {};
  const type = bodyStyle === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  const content = { [type]: { schema: schemas.of(input.body) } };
  return { requestBody: { required: true, content } };
}

interface Shared {
  readonly schemas: Schemas;
  readonly responses: SharedResponses;
}

function described(
  operation: AnyOperation,
  template: `/${string}`,
  { schemas, responses }: Shared,
): DocumentMembers {
  return {
    operationId: operationId(operation, template),
    summary: operation.summary,
    ...(operation.anyRequest ? ANY_REQUEST : {}),
    tags: [operation.family],
    security: securityOf(operation),
    parameters: parametersOf(operation, template, schemas),
    ...bodyOf(operation, schemas),
    responses: responsesOf(operation, schemas, responses),
    'x-operation': operation.id,
    'x-lifecycle': operation.lifecycle,
    'x-authentication': operation.authentication,
    ...(operation.role === undefined ? {} : { 'x-role': operation.role }),
    'x-transaction': operation.transaction,
    'x-format-style': operation.formatStyle,
    'x-default-format': operation.defaultFormat,
  };
}

/** OpenAPI cannot express this. */
const ANY_REQUEST = {
  description: 'Answers to any method, here and at every path below.',
  'x-any-request': true,
};

const server = (basePath: string) => ({ url: basePath === '' ? '/' : basePath });

/** An API with base paths of its own answers there, whatever base path the document is for. */
const serversOf = ({ api }: AnyOperation) => (api?.basePaths ? { servers: api.basePaths.map(server) } : {});

function pathItems(operations: readonly AnyOperation[], shared: Shared): DocumentMembers {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    for (const template of operation.paths) {
      paths[template] ??= serversOf(operation);
      paths[template][operation.method.toLowerCase()] = described(operation, template, shared);
    }
  }
  return paths;
}

/** The OpenAPI document (3.1) of these operations, below this base path. */
export function openApiDocument(operations: readonly AnyOperation[], basePath: string): DocumentMembers {
  const schemas = new Schemas();
  const responses = new SharedResponses();
  const paths = pathItems(operations, { schemas, responses });
  const families = [...new Set(operations.map(({ family }) => family))];
  return {
    openapi: '3.1.1',
    info: INFO,
    servers: [server(basePath)],
    tags: families.map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.components,
      responses: responses.components,
      headers: SHARED_HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
