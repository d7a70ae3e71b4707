import { HashUnreadable, readHash } from '../../capabilities/migration/foreign/read.ts';
import type { ApplicationSettings } from '../../capabilities/oidc-provider/application.ts';
import {
  faultOfApplicationName,
  faultOfSettings,
  needsSecret,
} from '../../capabilities/oidc-provider/faults.ts';
import type { WrittenRule } from '../../capabilities/proxy-gate/rules/document.ts';
import { faultsOfRules } from '../../capabilities/proxy-gate/rules/load.ts';
import {
  type DocumentFault,
  DocumentsFaulty,
  type ReadDocument,
} from '../../core/documents/read-document.ts';
import { faultOfApiKeyName } from '../../core/domain/api-key.ts';
import { faultOfClientName } from '../../core/domain/client.ts';
import { faultOfNewGroupName, groupKey, shortNameOf } from '../../core/domain/group.ts';
import { faultOfProfileValue, PROFILE_FIELDS, type Profile } from '../../core/domain/profile.ts';
import { isRole, type KeyRole, type Role } from '../../core/domain/role.ts';
import { faultOfName, userKey } from '../../core/domain/user.ts';
import type { ImportedHash } from '../../core/identity/hash-steps.ts';
import type { StateDocument, StateEntry } from './document.ts';

/** The role that an entry gives; undefined if it does not say. */
type WantedRole = Role | 'none' | undefined;

interface WantedEntry {
  /** The JSON pointer of the entry. */
  readonly pointer: string;
  readonly name: string;
}

/** A group that the document names. An undefined member stays as it is. */
export interface WantedGroup extends WantedEntry {
  readonly key: string;
  readonly displayName: string | undefined;
  readonly role: WantedRole;
  /** The short names of the groups that contain it. */
  readonly groups: readonly string[] | undefined;
}

/** A user that the document names. An undefined member stays as it is. */
export interface WantedUser extends WantedEntry {
  readonly key: string;
  readonly role: WantedRole;
  readonly disabled: boolean | undefined;
  readonly locked: boolean | undefined;
  /** An empty text removes a field. */
  readonly profile: Profile;
  /** The short names of the groups that contain it. */
  readonly groups: readonly string[] | undefined;
  readonly hash: ImportedHash | undefined;
  readonly mustChangePassword: boolean | undefined;
  readonly identity: { readonly provider: string; readonly subject: string } | undefined;
}

export interface WantedClient extends WantedEntry {
  readonly secretDigest: Buffer;
}

export interface WantedApplication extends WantedEntry {
  /** Undefined keeps the secret that it has. */
  readonly secretDigest: Buffer | undefined;
  readonly settings: ApplicationSettings;
}

export interface WantedApiKey extends WantedEntry {
  readonly digest: Buffer;
  readonly role: KeyRole;
  /** Epoch milliseconds; undefined if it never ends. */
  readonly expiresAt: number | undefined;
}

/** What a document says. A kind is undefined if the document has no list of it: then nothing of that kind changes. */
export interface WantedState {
  readonly groups: readonly WantedGroup[] | undefined;
  readonly users: readonly WantedUser[] | undefined;
  readonly clients: readonly WantedClient[] | undefined;
  readonly applications: readonly WantedApplication[] | undefined;
  readonly apiKeys: readonly WantedApiKey[] | undefined;
  readonly gateRules: readonly WrittenRule[] | undefined;
  /** The fault at a JSON pointer of the document, with its line. */
  readonly faultAt: (pointer: string, why: string) => DocumentFault;
}

type ReportFault = (pointer: string, why: string | undefined) => void;

/** What a document says. Throws {@link DocumentsFaulty} with the line of every fault. */
export function wantedIn(
  { value, faultAt }: ReadDocument<StateDocument>,
  namesCaseSensitive: boolean,
): WantedState {
  const faults: DocumentFault[] = [];
  const fault: ReportFault = (pointer, why) => {
    if (why !== undefined) faults.push(faultAt(pointer, why));
  };
  const keyOf = (name: string) => userKey(name, namesCaseSensitive);
  const each = <E, W>(list: string, entries: readonly E[] | undefined, read: (entry: E, at: string) => W) =>
    entries?.map((entry, index) => read(entry, `/${list}/${index}`));
  const state = {
    groups: each('groups', value.groups, (entry, at) => groupIn(entry, at, fault)),
    users: each('users', value.users, (entry, at) => userIn(entry, at, keyOf, fault)),
    clients: each('clients', value.clients, (entry, at) => clientIn(entry, at, fault)),
    applications: each('applications', value.applications, (entry, at) => applicationIn(entry, at, fault)),
    apiKeys: each('apiKeys', value.apiKeys, (entry, at) => apiKeyIn(entry, at, fault)),
    gateRules: value.gateRules,
  };
  refuseTwice(state.groups, ({ key }) => key, 'group', fault);
  refuseTwice(state.users, ({ key }) => key, 'user', fault);
  // An application is a client, too.
  const clients = [...(state.clients ?? []), ...(state.applications ?? [])];
  refuseTwice(clients, ({ name }) => name, 'client', fault);
  refuseTwice(state.apiKeys, ({ name }) => name, 'API key', fault);
  refuseTwice(state.apiKeys, ({ digest }) => digest.toString('hex'), 'digest', fault);
  const rules = { value: { rules: value.gateRules ?? [] }, faultAt };
  for (const { pointer = '', fault: why } of faultsOfRules(rules))
    fault(pointer.replace(/^\/rules/, '/gateRules'), why);
  if (faults.length > 0) throw new DocumentsFaulty(faults);
  return { ...state, faultAt };
}

function refuseTwice<W extends WantedEntry>(
  entries: readonly W[] = [],
  keyOf: (entry: W) => string,
  what: string,
  fault: ReportFault,
): void {
  const seen = new Set<string>();
  for (const entry of entries) {
    if (seen.has(keyOf(entry)))
      fault(entry.pointer, `names a ${what} that an entry before it names: keep one`);
    seen.add(keyOf(entry));
  }
}

const roleIn = (role: string | undefined): WantedRole => (role === undefined || isRole(role) ? role : 'none');

/** The short names of groups in an entry, each once. */
function groupsIn(
  names: readonly string[] | undefined,
  pointer: string,
  fault: ReportFault,
): readonly string[] | undefined {
  for (const [index, name] of (names ?? []).entries())
    fault(`${pointer}/groups/${index}`, faultOfNewGroupName(name));
  const byKey = new Map(names?.map((name) => [groupKey(name), shortNameOf(name)]));
  return names && [...byKey.values()];
}

function groupIn(entry: StateEntry<'groups'>, pointer: string, fault: ReportFault): WantedGroup {
  const { name, displayName } = entry;
  fault(`${pointer}/name`, faultOfNewGroupName(name));
  if (displayName !== undefined)
    fault(`${pointer}/displayName`, faultOfProfileValue('displayName', displayName));
  return {
    pointer,
    name: shortNameOf(name),
    key: groupKey(name),
    displayName,
    role: roleIn(entry.role),
    groups: groupsIn(entry.groups, pointer, fault),
  };
}

function hashIn(
  { passwordHash, hashIndicator, salt }: StateEntry<'users'>,
  pointer: string,
  fault: ReportFault,
): ImportedHash | undefined {
  if (passwordHash === undefined) {
    if (hashIndicator !== undefined || salt !== undefined)
      fault(pointer, 'has "hashIndicator" or "salt" without "passwordHash", to which they belong');
    return undefined;
  }
  try {
    return readHash({ passwordHash, hashIndicator, salt });
  } catch (error) {
    if (!(error instanceof HashUnreadable)) throw error;
    fault(`${pointer}/passwordHash`, error.message);
    return undefined;
  }
}

function identityIn(
  { provider, subject, passwordHash, mustChangePassword }: StateEntry<'users'>,
  pointer: string,
  fault: ReportFault,
): WantedUser['identity'] {
  if (provider === undefined && subject === undefined) return undefined;
  if (provider === undefined || subject === undefined)
    fault(pointer, 'has "provider" or "subject" alone: give both');
  if (passwordHash !== undefined || mustChangePassword !== undefined)
    fault(
      pointer,
      'has a provider, which has the password: leave "passwordHash" and "mustChangePassword" out',
    );
  return { provider: provider ?? '', subject: subject ?? '' };
}

function profileIn(entry: Readonly<Record<string, unknown>>, pointer: string, fault: ReportFault): Profile {
  const fields = PROFILE_FIELDS.flatMap((field) => {
    const value = entry[field];
    return typeof value === 'string' ? [[field, value] as const] : [];
  });
  for (const [field, value] of fields) fault(`${pointer}/${field}`, faultOfProfileValue(field, value));
  return Object.fromEntries(fields);
}

function userIn(
  entry: StateEntry<'users'>,
  pointer: string,
  keyOf: (name: string) => string,
  fault: ReportFault,
): WantedUser {
  const name = entry.name.normalize('NFC');
  fault(`${pointer}/name`, faultOfName(name));
  const { disabled, locked, mustChangePassword } = entry;
  return {
    pointer,
    name,
    key: keyOf(name),
    disabled,
    locked,
    mustChangePassword,
    role: roleIn(entry.role),
    profile: profileIn(entry, pointer, fault),
    groups: groupsIn(entry.groups, pointer, fault),
    hash: hashIn(entry, pointer, fault),
    identity: identityIn(entry, pointer, fault),
  };
}

function clientIn(
  { name, secretDigest }: StateEntry<'clients'>,
  pointer: string,
  fault: ReportFault,
): WantedClient {
  fault(`${pointer}/name`, faultOfClientName(name));
  return { pointer, name, secretDigest: Buffer.from(secretDigest, 'hex') };
}

function applicationIn(
  { name, secretDigest, settings }: StateEntry<'applications'>,
  pointer: string,
  fault: ReportFault,
): WantedApplication {
  fault(`${pointer}/name`, faultOfApplicationName(name));
  const wrong = faultOfSettings(settings, name);
  fault(`${pointer}/settings/${wrong?.member}`, wrong?.sentence);
  if (secretDigest !== undefined && !needsSecret({ name, settings }))
    fault(`${pointer}/secretDigest`, 'is for an application that proves itself by a secret: leave it out');
  const digest = secretDigest === undefined ? undefined : Buffer.from(secretDigest, 'hex');
  return { pointer, name, secretDigest: digest, settings };
}

/** A date, or a date and a time with its zone. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

function apiKeyIn(entry: StateEntry<'apiKeys'>, pointer: string, fault: ReportFault): WantedApiKey {
  const { name, digest, role, expiresAt } = entry;
  fault(`${pointer}/name`, faultOfApiKeyName(name));
  const at = expiresAt === undefined ? undefined : Date.parse(expiresAt);
  if (expiresAt !== undefined && (!TIME.test(expiresAt) || Number.isNaN(at)))
    fault(`${pointer}/expiresAt`, 'is no time: write one such as 2030-01-31T12:00:00Z, or 2030-01-31');
  return { pointer, name, digest: Buffer.from(digest, 'hex'), role: role as KeyRole, expiresAt: at };
}
