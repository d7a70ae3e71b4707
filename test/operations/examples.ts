import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { WELL_KNOWN_NODES } from '../../src/capabilities/action-definitions/domain/node.ts';
import type { AnyOperation, Authentication } from '../../src/core/operation.ts';
import { StoreUnavailable } from '../../src/core/storage/store.ts';
import { nameOf } from '../../src/faces/description/name.ts';
import { forwarded } from '../capabilities/proxy-gate/http/ruled.ts';
import { addAppPassword } from '../service/app-passwords.ts';
import { PASSWORD, type TestService } from '../service/start.ts';
import { basic, logIn } from '../service/talk.ts';
import { type Example, post, REFUSED_OF_ADMINISTRATION, type Refused } from './administration-refused.ts';
import { ALICE, exampleInput, isOfItsCaller, templateOf } from './example-input.ts';
import { REFUSED_OF_LOGINS, signedIn } from './login-refused.ts';
import { addNamed } from './named.ts';
import { REFUSED_OF_PEOPLE } from './people-refused.ts';

export type { Example };

const V1_REPOSITORY = '/alfresco/versions/1';
const V1_DEFINITIONS = `${V1_REPOSITORY}/action-definitions`;
const V1_CONSTRAINTS = `${V1_REPOSITORY}/action-parameter-constraints`;
const v1OfNode = (id: string) => `${V1_REPOSITORY}/nodes/${id}/action-definitions`;

/** A user of a test. */
interface TestUser {
  readonly name: string;
  readonly password: string;
}

let clients = 0;

/** The credential of a new client. */
async function asClient({ addClient }: TestService): Promise<Record<string, string>> {
  clients += 1;
  const name = `gateway-${clients}`;
  return basic(`${name}:${await addClient(name)}`);
}

/** The ticket of a user. */
async function asUser({ url }: TestService, { name, password }: TestUser): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await logIn(url, name, password)}` };
}

/** For each level, the header of a caller. */
const CREDENTIAL: Readonly<
  Record<Authentication, (service: TestService, user: TestUser) => Promise<Record<string, string>>>
> = {
  none: async () => ({}),
  guest: asUser,
  user: asUser,
  client: (service) => asClient(service),
  admin: async ({ url }) => ({ authorization: `Bearer ${await logIn(url)}` }),
};

/**
 * A call that succeeds, from the examples of the descriptor. Another `user` sends the same call, with alice's ticket in
 * its input, under its own ticket.
 */
export async function exampleOf(
  operation: AnyOperation,
  service: TestService,
  user: TestUser = ALICE,
): Promise<Example> {
  const { method, authentication, bodyStyle, input: schemas } = operation;
  await service.addUser(ALICE.name, ALICE);
  await service.addUser(user.name, user);
  await service.store.write(addNamed);
  const input = exampleInput(operation, await logIn(service.url, ALICE.name, ALICE.password));
  const path = templateOf(operation).replace(/\{(\w+)\}/g, (_, name) =>
    [input.path[name] ?? []].flat().map(encodeURIComponent).join('/'),
  );
  const texts = (part: object) => part as Record<string, string>;
  const body =
    bodyStyle === 'form' ? new URLSearchParams(texts(input.body)).toString() : JSON.stringify(input.body);
  const headers = await CREDENTIAL[authentication](service, user);
  return {
    path,
    query: texts(input.query),
    init: { method, headers, ...(schemas.body && { body }) },
  };
}

/** Calls for the refusals of a client's form. */
const tokenRefused = (path: string): Refused => {
  const posted = async (service: TestService, body: string) => ({
    path,
    init: { method: 'POST', headers: await asClient(service), body },
  });
  return {
    form_unreadable: (service) => posted(service, 'token=a&token=a'),
    token_missing: (service) => posted(service, 'token=&token_type_hint=access_token'),
    client_secret_in_body: (service) => posted(service, 'token=a&client_secret=b'),
  };
};

const oneWaits = { TESSERA_HASH_DEADLINE: 'PT0.001S' };

async function validated(
  service: TestService,
  query: Readonly<Record<string, string>>,
  body: object = {},
): Promise<Example> {
  const { path, query: signed } = await signedIn(service, '/api/rules/actiondefs/copy/validate');
  return { path, query: { ...signed, ...query }, init: post(body) };
}

const V1_GROUPS = `${V1_REPOSITORY}/people/-me-/groups`;

async function v1Groups(service: TestService, query: Readonly<Record<string, string>>): Promise<Example> {
  const { path, query: signed } = await signedIn(service, V1_GROUPS);
  return { path, query: { ...signed, ...query } };
}

async function v1Listed(service: TestService, query: Readonly<Record<string, string>>): Promise<Example> {
  const { path, query: signed } = await signedIn(service, V1_DEFINITIONS);
  return { path, query: { ...signed, ...query } };
}

/** For each operation, a call for each refusal that it declares. */
const REFUSED: Readonly<Record<string, Refused>> = {
  'rule/actiondefs.get': {
    argument_invalid: async (service) => ({
      ...(await signedIn(service, '/api/node/workspace/SpacesStore/sites/actiondefs')),
      query: { alf_ticket: await logIn(service.url), explain: 'perhaps' },
    }),
    store_not_found: (service) => signedIn(service, '/api/node/workspace/NoStore/sites/actiondefs'),
    node_not_found: (service) => signedIn(service, '/api/node/workspace/SpacesStore/nothing/actiondefs'),
    path_not_found: (service) =>
      signedIn(service, '/api/path/workspace/SpacesStore/Company%20Home/No/actiondefs'),
    nodes_unavailable: (service) => signedIn(service, '/api/node/workspace/SpacesStore/sites/actiondefs'),
  },
  'rule/actiondef.get': {
    definition_not_found: (service) => signedIn(service, '/api/rules/actiondefs/nothing'),
  },
  'rule/constraint.get': {
    constraint_not_found: (service) => signedIn(service, '/api/actionConstraints/nothing'),
    nodes_unavailable: (service) => signedIn(service, '/api/actionConstraints/ac-aspects'),
  },
  'rule/constraints.get': {
    nodes_unavailable: (service) => signedIn(service, '/api/actionConstraints'),
  },
  'rule/validate.post': {
    argument_invalid: (service) => validated(service, { node: 'sites' }),
    body_unreadable: (service) => validated(service, {}, { parameterValues: [] }),
    store_not_found: (service) => validated(service, { node: 'workspace://NoStore/sites' }),
    node_not_found: (service) => validated(service, { node: 'workspace://SpacesStore/nothing' }),
    nodes_unavailable: (service) => validated(service, { node: 'workspace://SpacesStore/sites' }),
  },
  'index/index.get': { grouping_unknown: async () => ({ path: '/index/colour' }) },
  'v1/actiondefinitions.get': {
    argument_invalid: (service) => v1Listed(service, { orderBy: 'id' }),
    skip_count_negative: (service) => v1Listed(service, { skipCount: '-1' }),
    max_items_not_positive: (service) => v1Listed(service, { maxItems: '0' }),
    store_not_found: async (service) => {
      const gone = [...WELL_KNOWN_NODES].reverse();
      await service.store.write(async ({ nodes }) => {
        for (const { store, id } of gone) await nodes.remove(store, id);
      });
      return signedIn(service, v1OfNode('-root-'));
    },
    node_not_found: (service) => signedIn(service, v1OfNode('-my-')),
    nodes_unavailable: (service) => signedIn(service, v1OfNode('sites')),
  },
  'people/metadata.get': {
    argument_invalid: (service) => signedIn(service, '/webframework/content/metadata'),
  },
  'v1/persongroups.get': {
    argument_invalid: (service) => v1Groups(service, { where: 'isRoot' }),
    skip_count_negative: (service) => v1Groups(service, { skipCount: '-1' }),
    max_items_not_positive: (service) => v1Groups(service, { maxItems: '0' }),
  },
  'v1/actiondefinition.get': {
    definition_not_found: (service) => signedIn(service, `${V1_DEFINITIONS}/nothing`),
  },
  'gate.get': {
    user_header_impossible: async (service) => {
      await service.addUser(' mia');
      return { path: '/gate', init: { headers: basic(`:${await logIn(service.url, ' mia')}`) } };
    },
    gate_denied: async () => ({ path: '/gate' }),
    step_up_needed: async (service) => {
      await service.addUser('mia');
      const ticket = await logIn(service.url, 'mia', await addAppPassword(service.store, 'mia'));
      return { path: '/gate', init: { headers: { ...forwarded('GET x/'), ...basic(`:${ticket}`) } } };
    },
  },
  'v1/probe.get': {
    probe_unknown: async () => ({ path: `${V1_REPOSITORY}/probes/-dead-` }),
    not_ready: async ({ store }) => {
      store.read = () => Promise.reject(new StoreUnavailable('the test says so'));
      return { path: `${V1_REPOSITORY}/probes/-ready-` };
    },
  },
  'v1/constraint.get': {
    constraint_not_found: (service) => signedIn(service, `${V1_CONSTRAINTS}/nothing`),
    nodes_unavailable: (service) => signedIn(service, `${V1_CONSTRAINTS}/ac-aspects`),
  },
  ...REFUSED_OF_LOGINS,
  ...REFUSED_OF_ADMINISTRATION,
  ...REFUSED_OF_PEOPLE,
  'oauth2/introspect.post': tokenRefused('/introspect'),
  'oauth2/revoke.post': tokenRefused('/revoke'),
};

const BOB: TestUser = { name: 'bob', password: PASSWORD };

/**
 * A call for each refusal that an operation declares, from {@link REFUSED}. If one refusal is missing there, and the
 * operation is about the caller's own, it is the one that another user gets for the same call.
 */
export function refusedCallsOf(operation: AnyOperation): Refused {
  const given = REFUSED[nameOf(operation)] ?? {};
  const [missing, ...others] = operation.refusals.filter((code) => !Object.hasOwn(given, code));
  if (missing === undefined || others.length > 0 || !isOfItsCaller(operation)) return given;
  return { ...given, [missing]: (service) => exampleOf(operation, service, BOB) };
}

/** The settings of a gate with the rules in this document. */
function byRules(document: string): Record<string, string> {
  const file = new URL(`../capabilities/proxy-gate/rules/${document}`, import.meta.url);
  return {
    TESSERA_GATE_RULES: fileURLToPath(file),
    TESSERA_GATE_URI_HEADER: 'X-Forwarded-Uri',
    TESSERA_TRUSTED_PROXIES: '127.0.0.1',
  };
}

/** The settings under which a refusal occurs, and the number of parallel calls that it needs. */
export const CIRCUMSTANCES: Readonly<Record<string, { env: Record<string, string>; atOnce?: number }>> = {
  nodes_unavailable: {
    env: {
      TESSERA_NODES: 'http://127.0.0.1:9',
      TESSERA_NODES_USER: 'reader',
      TESSERA_NODES_PASSWORD: 'reader',
    },
  },
  gate_denied: { env: byRules('no-rules.json') },
  step_up_needed: { env: byRules('fresh-rules.json') },
  user_header_impossible: { env: { TESSERA_GATE_USER_HEADER: 'X-Alfresco-Remote-User' } },
  login_by_get_off: { env: { TESSERA_LOGIN_GET: 'false' } },
  passwords_unavailable: {
    env: {
      TESSERA_SHADOW: 'http://127.0.0.1:9',
      TESSERA_THROTTLE_AFTER: '0',
      TESSERA_LDAP_URLS: 'ldap://127.0.0.1:9',
      TESSERA_LDAP_USER_BASE: 'dc=example,dc=org',
      TESSERA_LDAP_BIND_DN: 'cn=reader,dc=example,dc=org',
      TESSERA_LDAP_BIND_PASSWORD: 'reader',
      TESSERA_LDAP_PASSWORD_RESET: 'true',
    },
  },
  hash_queue_full: {
    // A hash that takes long: the calls have to meet on a busy machine, too.
    env: {
      ...oneWaits,
      TESSERA_HASH_MEMORY: '65536',
      TESSERA_HASH_PASSES: '4',
      TESSERA_THROTTLE_AFTER: '0',
    },
    atOnce: availableParallelism() + 6,
  },
};

/** The URL of an example, with a format if one is given. */
export function urlOf(base: string, { path, query = {} }: Example, format?: string): string {
  const url = new URL(base + path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (format !== undefined) url.searchParams.set('format', format);
  return url.href;
}
