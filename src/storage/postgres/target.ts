import type { ConnectionOptions } from 'node:tls';
import { decoded, type Host, hostIn, shownHost } from '../host.ts';
import type { Password } from '../password.ts';
import { StoreUnavailable } from '../store.ts';
import { tlsFor } from './tls.ts';

/** How the engine behaves where the URL does not say. Durations in milliseconds. */
export interface PostgresOptions {
  /** Takes the place of the password in the URL. */
  readonly password?: Password | undefined;
  /** Connections that reads share. */
  readonly readers?: number | undefined;
  /** Connections that write units take turns on. */
  readonly writers?: number | undefined;
  /** How long a server may take for a new connection. */
  readonly connectDeadline?: number | undefined;
  /** How long a statement may take, its wait for what others hold included. */
  readonly statementDeadline?: number | undefined;
  /** How long a write unit may wait for a connection. */
  readonly queueDeadline?: number | undefined;
  /** How often the servers are looked at when nothing else is asked of them. */
  readonly watchEvery?: number | undefined;
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

/** Where a URL of the form `postgres://user@host1:port,host2:port/database?sslmode=…` leads. Its faults never show a password. */
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
    statementDeadline: options.statementDeadline ?? 5_000,
    queueDeadline: options.queueDeadline ?? 5_000,
    watchEvery: options.watchEvery ?? 2_000,
  };
}

/** Where a target leads, without whom and with what password. */
export function shownTarget({ hosts, database }: PostgresTarget): string {
  return `"${database}" at ${hosts.map(shownHost).join(', ')}`;
}
