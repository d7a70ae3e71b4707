import { DatabaseError } from 'pg';
import { StoreUnavailable } from '../../core/storage/store.ts';
import { UNREACHABLE, whyNoTls } from '../connection-faults.ts';

const PAST_DEADLINE = '57014';
const TLS_NAMES = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' };
const TOO_SLOW =
  'a statement took longer than its deadline: the server is overloaded, or another transaction holds what it needs';
const CONFLICT = 'too many transactions wanted the same rows at once';
const USER_REFUSED = "the server refuses the user: check the name, the password and the server's pg_hba.conf";
const DAMAGED = 'the database is damaged: restore a backup, or promote a standby';
const POOLER =
  'a pooler such as pgbouncer stands before it, which keeps nothing for a connection: name the server itself in TESSERA_DATABASE';
const STOPPED = 'the server ended the connection: it was stopped, or somebody ended its connections';

/** The SQLSTATE codes, or classes of them, for which the store cannot answer, and what an operator can do about each. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  '08': 'the connection to the server failed',
  '08P01': POOLER,
  '25006': 'the server is read-only: it is a standby, or default_transaction_read_only is on',
  '25P03': 'a transaction was idle for too long, and the server ended it',
  '26000': POOLER,
  '28': USER_REFUSED,
  '3F000': 'there is no schema to work in: check the search_path, and what the user may use',
  '3D000': 'there is no such database: make it first',
  '40': CONFLICT,
  '42501': "the user lacks a privilege: make it the owner of the service's tables",
  '42P05': POOLER,
  '53': 'the server is out of memory or another resource',
  '53100': "the server's disk is full: free some space",
  '53300':
    'the server takes no more connections: raise max_connections, or lower the number that each instance takes',
  '55P03': 'another transaction held what was needed for too long',
  '57': STOPPED,
  [PAST_DEADLINE]: TOO_SLOW,
  '57P03': 'the server is starting, stopping or recovering',
  '58': 'the server reports an error of its disk: check it, and the file system',
  XX001: DAMAGED,
  XX002: DAMAGED,
};

/** The SQLSTATE of an error that the server reported; undefined for any other error. */
export function stateOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Whether the unit conflicted with another one, or with a migration, so that it makes sense to run it again. */
export function isConflict(error: unknown): boolean {
  const state = stateOf(error);
  return state === '40001' || state === '40P01' || isOutdated(error);
}

/** Whether a migration has changed the columns of a statement since the connection prepared it. The message is in the server's language. */
export function isOutdated(error: unknown): boolean {
  return stateOf(error) === '0A000' && (error as DatabaseError).routine === 'RevalidateCachedQuery';
}

/** Whether the server gave up a statement that took longer than its deadline. */
export function isPastDeadline(error: unknown): boolean {
  return stateOf(error) === PAST_DEADLINE;
}

/** The same error, as {@link StoreUnavailable} when it says that storage cannot answer. */
export function translated(error: unknown): unknown {
  const state = stateOf(error);
  if (state === undefined) return error;
  const meaning = UNAVAILABLE[state] ?? UNAVAILABLE[state.slice(0, 2)];
  return meaning === undefined ? error : new StoreUnavailable(meaning, { cause: error });
}

/** What the store says of an error, and in brackets the server's own words: one meaning has several causes. */
export function inBothWords(error: unknown): string {
  const translation = translated(error);
  const message = translation instanceof Error ? translation.message : String(translation);
  const said = translation instanceof StoreUnavailable ? translation.cause : undefined;
  return said instanceof DatabaseError ? `${message} (${said.message})` : message;
}

/** Why a connection could not be made, for the operator. */
export function whyNotConnected(error: unknown): string {
  if (translated(error) instanceof StoreUnavailable) return inBothWords(error);
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (error.message === 'timeout expired') return 'it does not answer in time';
  if (/password must be/.test(error.message)) return 'it asks for a password, and none was given';
  if (/does not support SSL/.test(error.message))
    return 'it speaks no TLS: set it up there, or add sslmode=disable';
  return whyNoTls(error, TLS_NAMES) ?? UNREACHABLE[code] ?? error.message;
}
