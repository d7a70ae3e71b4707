import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { StoreUnavailable } from '../../core/storage/store.ts';
import { decoded, type Host, hostIn, type Password, shownHost, tlsFile } from '../server-url.ts';

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof MODES)[number];

function isNear(name: string): boolean {
  return (
    name === 'localhost' ||
    name === '::1' ||
    name.startsWith('/') ||
    (isIP(name) === 4 && name.startsWith('127.'))
  );
}

function modeIn(parameters: URLSearchParams, near: boolean): Mode {
  const text = parameters.get('sslmode') ?? (near ? 'disable' : 'verify-full');
  const mode = MODES.find((candidate) => candidate === text);
  if (mode === undefined)
    throw new StoreUnavailable(`sslmode "${text}" is none that is offered: write ${MODES.join(', ')}`);
  return mode;
}

function fileIn(parameters: URLSearchParams, name: string): Buffer | undefined {
  const path = parameters.get(name);
  return path === null || path === 'system' ? undefined : tlsFile(name, path);
}

/**
 * TLS by `sslmode`, as libpq has it: `require` encrypts, and trusts any server unless there is an `sslrootcert`; `verify-ca`
 * checks the authority, `verify-full` the host's name too. The default is `disable` on this machine and `verify-full`
 * elsewhere. The modes that fall back to plain text are not offered.
 */
function tlsFor(hosts: readonly Host[], parameters: URLSearchParams): false | ConnectionOptions {
  const mode = modeIn(
    parameters,
    hosts.every(({ name }) => isNear(name)),
  );
  if (mode === 'disable') return false;
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => fileIn(parameters, name));
  if (mode === 'verify-ca' && ca === undefined)
    throw new StoreUnavailable('sslmode verify-ca needs an sslrootcert: name the file of the authority');
  // Stated here, so that no environment variable can switch it off.
  const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), rejectUnauthorized: true };
  if (mode === 'verify-full') return files;
  if (mode === 'require' && ca === undefined) return { ...files, rejectUnauthorized: false };
  return { ...files, checkServerIdentity: () => undefined };
}

/** What the URL does not say. Durations are in milliseconds. */
export interface PostgresOptions {
  /** Used in place of the password in the URL. */
  readonly password?: Password | undefined;
  /** How many connections reads share. Validations have one more. */
  readonly readers?: number | undefined;
  /** How many connections write units use in turn. */
  readonly writers?: number | undefined;
  /** How long a new connection may take. */
  readonly connectDeadline?: number | undefined;
  /** How long a statement may take, its wait for locks included. */
  readonly statementDeadline?: number | undefined;
  /** How long a write unit may wait for a connection. The wait counts against the deadline of its first statements. */
  readonly queueDeadline?: number | undefined;
  /** How often the servers are checked. */
  readonly watchEvery?: number | undefined;
  /** How long a validation waits so that others share its question about revocations. */
  readonly validationWait?: number | undefined;
  /** How many tickets are kept of what was read. */
  readonly cache?: number | undefined;
}

/** Where to connect, and how. */
export interface PostgresTarget {
  readonly hosts: readonly Host[];
  readonly user: string;
  readonly database: string;
  readonly password: Password;
  readonly tls: false | ConnectionOptions;
  readonly application: string;
  /** Options for the server's command line, such as `-c search_path=tessera`. */
  readonly serverOptions: string | undefined;
  readonly readers: number;
  readonly writers: number;
  readonly connectDeadline: number;
  readonly statementDeadline: number;
  readonly queueDeadline: number;
  readonly watchEvery: number;
  readonly validationWait: number;
  readonly cache: number | undefined;
}

const WHAT = 'the database';
const FORM = /^postgres(?:ql)?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^@/?#]+)\/([^/?#]*)(?:\?([^#]*))?$/;
const MEND = 'write one such as postgres://user@host:5432/database, with commas between several hosts';
const PARAMETERS = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'application_name',
  'options',
  'target_session_attrs',
];

function hostOf(text: string): Host {
  const host = hostIn(text, 5432, WHAT);
  if (host === undefined)
    throw new StoreUnavailable(`"${text}" is no host of a database: write host, host:port or [address]:port`);
  return host;
}

function parametersIn(text: string): URLSearchParams {
  const parameters = new URLSearchParams(text);
  const unknown = [...parameters.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined)
    throw new StoreUnavailable(
      `the URL of the database has a parameter "${unknown}": there are ${PARAMETERS.join(', ')}`,
    );
  const attributes = parameters.get('target_session_attrs') ?? 'read-write';
  if (attributes !== 'read-write' && attributes !== 'primary')
    throw new StoreUnavailable(
      'target_session_attrs can only be read-write: the service always looks for the writable server',
    );
  return parameters;
}

/** The target of a URL such as `postgres://user@host1:port,host2:port/database?sslmode=…`. Its faults never show a password. */
export function targetOf(url: string, options: PostgresOptions = {}): PostgresTarget {
  const [, user = '', password = '', hosts = '', database = '', query = ''] = FORM.exec(url) ?? [];
  if (hosts === '') throw new StoreUnavailable(`the URL of the database is not of its form: ${MEND}`);
  if (user === '' || database === '')
    throw new StoreUnavailable(
      `the URL of the database names no ${user === '' ? 'user' : 'database'}: ${MEND}`,
    );
  const parameters = parametersIn(query);
  const named = hosts.split(',').map(hostOf);
  return {
    hosts: named,
    user: decoded(user, WHAT),
    database: decoded(database, WHAT),
    password: options.password ?? decoded(password, WHAT),
    tls: tlsFor(named, parameters),
    application: parameters.get('application_name') ?? 'tessera',
    serverOptions: parameters.get('options') ?? undefined,
    readers: options.readers ?? 2,
    writers: options.writers ?? 6,
    connectDeadline: options.connectDeadline ?? 3_000,
    statementDeadline: options.statementDeadline ?? 4_000,
    queueDeadline: options.queueDeadline ?? 4_000,
    watchEvery: options.watchEvery ?? 2_000,
    validationWait: options.validationWait ?? 0,
    cache: options.cache,
  };
}

/** A target as messages show it, without user and password. */
export function shownTarget({ hosts, database }: PostgresTarget): string {
  return `"${database}" at ${hosts.map(shownHost).join(', ')}`;
}
