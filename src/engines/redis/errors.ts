import { StoreUnavailable } from '../../core/storage/store.ts';
import type { Host } from '../server-url.ts';
import { ErrorReply } from './resp.ts';

/** What an operator can do about an error reply, by its code. */
const MEANINGS: Readonly<Record<string, string>> = {
  ASK: 'slots of the Redis Cluster are being moved',
  BUSY: 'a script holds the Redis server up: end it with SCRIPT KILL',
  CLUSTERDOWN: 'the Redis Cluster does not serve all its slots: see CLUSTER INFO',
  LOADING: 'the Redis server is loading its data',
  MASTERDOWN: 'the Redis server has lost its master',
  MISCONF: 'the Redis server cannot write to its disk: check it',
  MOVED: 'slots of the Redis Cluster have been moved',
  NOPERM: 'the Redis user lacks a permission: docs/how-to/redis.md has the ACL that it needs',
  NOREPLICAS: 'the Redis server has fewer replicas than its min-replicas-to-write',
  OOM: 'the Redis server is out of memory: raise its maxmemory, or add masters',
  READONLY: 'the Redis server is a replica: name its master',
  TRYAGAIN: 'slots of the Redis Cluster are being moved',
};

/** Codes of faults that may be over in a moment, or on another server. */
const PASSING = new Set(['CLUSTERDOWN', 'LOADING', 'MASTERDOWN', 'READONLY', 'TRYAGAIN']);

/** Thrown when a connection was lost, could not be made, or did not answer within its deadline. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/** The code of an error reply, its first word; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof ErrorReply ? error.message.split(' ', 1)[0] : undefined;
}

/** Error codes of a cluster's node that does not serve the slot. */
const ELSEWHERE = new Set(['ASK', 'CLUSTERDOWN', 'MOVED', 'TRYAGAIN']);

/** Whether a node of a cluster says by this error that another node has to be asked. */
export function isElsewhere(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && ELSEWHERE.has(code);
}

/** Whether the same command may succeed in a moment, or on another server. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  return error instanceof ConnectionLost || (code !== undefined && PASSING.has(code));
}

/** A redirection to the server of a slot: for good (`MOVED`), or for this one command (`ASK`). */
interface Redirection {
  readonly kind: 'MOVED' | 'ASK';
  readonly to: Host;
}

/** The redirection in an error reply. A host that it leaves out is that of the server `from`, which sent it. */
export function redirectionIn(error: unknown, from: Host): Redirection | undefined {
  const code = codeOf(error);
  if (code !== 'MOVED' && code !== 'ASK') return undefined;
  const [, name = '', port = ''] = /^\w+ \d+ (.*):(\d+)$/.exec((error as Error).message) ?? [];
  return { kind: code, to: { name: name || from.name, port: Number(port) } };
}

/** The same error, as {@link StoreUnavailable} when it says that the ticket store cannot answer. */
export function translated(error: unknown): unknown {
  // The log shows the messages of all causes: this one would show twice.
  if (error instanceof ConnectionLost) return new StoreUnavailable(error.message, { cause: error.cause });
  const code = codeOf(error);
  if (code === undefined) return error;
  const meaning = MEANINGS[code] ?? `the Redis server refuses a command (${code})`;
  return new StoreUnavailable(meaning, { cause: error });
}

/** What the store says of an error, and in brackets the server's own words: one meaning has several causes. */
export function inBothWords(error: unknown): string {
  const translation = translated(error);
  const message = translation instanceof Error ? translation.message : String(translation);
  return codeOf(error) === undefined ? message : `${message} (${(error as Error).message})`;
}
