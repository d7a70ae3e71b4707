import type { ConnectionOptions } from 'node:tls';
import { StoreUnavailable } from '../../core/storage/store.ts';
import { decoded, type Host, hostIn, type Password, shownHost, tlsFile } from '../server-url.ts';

/** What the URL does not say. Durations are in milliseconds. */
export interface RedisOptions {
  /** Used in place of the password in the URL. */
  readonly password?: Password | undefined;
  /** How many replicas have to acknowledge a write, where the master has as many. */
  readonly replicas?: number | undefined;
  /** How long they may take. */
  readonly replicaDeadline?: number | undefined;
  /** How long a server may take to answer a command. */
  readonly commandDeadline?: number | undefined;
  /** How long a validation waits so that others share its question about revocations. */
  readonly validationWait?: number | undefined;
  /** How many tickets are kept of what was read. */
  readonly cache?: number | undefined;
}

/** Where to connect, and how. */
export interface RedisTarget {
  /** The servers that the URL names. A cluster names its other servers itself. */
  readonly seeds: readonly Host[];
  readonly username: string | undefined;
  readonly password: Password | undefined;
  readonly tls: ConnectionOptions | undefined;
  readonly replicas: number;
  readonly replicaDeadline: number;
  readonly commandDeadline: number;
  readonly validationWait: number;
  readonly cache: number | undefined;
}

/** Sends a command to one server. */
export type SendToServer = (words: readonly (string | Buffer)[]) => Promise<unknown>;

/** A target, and the id of the database whose tickets are kept there. */
export interface OwnedTarget extends RedisTarget {
  readonly database: string;
  /** Called on each new connection to a server that is ours, before its first use. */
  readonly check?: (send: SendToServer) => Promise<void>;
}

const WHAT = 'the ticket store';
const FORM = /^(rediss?):\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^@/?#]+)\/?(?:\?([^#]*))?$/;
const MEND = 'write one such as redis://user:password@host1:6379,host2:6379, with rediss:// for TLS';
const FILES = ['cacert', 'cert', 'key'] as const;

function seedIn(text: string): Host {
  const host = hostIn(text, 6379, WHAT);
  if (host === undefined)
    throw new StoreUnavailable(
      'the URL of the ticket store names something that is no Redis server: write host, host:port or [address]:port, and what is no letter or digit in a password as a percent escape',
    );
  return host;
}

function fileOf(parameters: URLSearchParams, name: (typeof FILES)[number]): Buffer | undefined {
  const path = parameters.get(name);
  return path === null ? undefined : tlsFile(name, path);
}

function tlsFrom(scheme: string, query: string): ConnectionOptions | undefined {
  const parameters = new URLSearchParams(query);
  if ([...parameters.keys()].some((name) => !FILES.some((file) => file === name)))
    throw new StoreUnavailable(
      `the URL of the ticket store has a parameter that there is not: there are ${FILES.join(', ')}`,
    );
  if (scheme === 'redis' && parameters.size > 0)
    throw new StoreUnavailable('the URL of the ticket store names TLS files: write rediss:// to use them');
  if (scheme === 'redis') return undefined;
  const [ca, cert, key] = FILES.map((name) => fileOf(parameters, name));
  // Stated here, so that no environment variable can switch it off.
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), rejectUnauthorized: true };
}

/**
 * The target of a URL such as `redis[s]://user:password@host1:port,host2:port?cacert=…&cert=…&key=…`. TLS checks the
 * authority and the host's name. Its faults never show a password.
 */
export function targetOf(url: string, options: RedisOptions = {}): RedisTarget {
  const [, scheme = '', user = '', password = '', hosts = '', query = ''] = FORM.exec(url) ?? [];
  if (hosts === '') throw new StoreUnavailable(`the URL of the ticket store is not of its form: ${MEND}`);
  return {
    seeds: hosts.split(',').map(seedIn),
    username: decoded(user, WHAT) || undefined,
    password: options.password ?? (decoded(password, WHAT) || undefined),
    tls: tlsFrom(scheme, query),
    replicas: options.replicas ?? 1,
    replicaDeadline: options.replicaDeadline ?? 500,
    commandDeadline: options.commandDeadline ?? 1_000,
    validationWait: options.validationWait ?? 0,
    cache: options.cache,
  };
}

/** A target as messages show it, without user and password. */
export function shownTarget({ seeds }: RedisTarget): string {
  return seeds.map(shownHost).join(', ');
}
