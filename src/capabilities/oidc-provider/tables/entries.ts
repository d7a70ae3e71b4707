import type { Sweep } from '../../../core/storage/sweep.ts';
import { bufferOf, type SqlRow } from '../../../engines/sql/sql.ts';
import { type Reading, statements, type UnitTable } from '../../../engines/sql/statement.ts';

/** What the provider keeps of a session, a grant, a code or a token, without its id. Times are epoch milliseconds. */
export interface ProviderEntry {
  /** The SHA-256 of its kind and its id. */
  readonly digest: Buffer;
  readonly kind: string;
  /** JSON, without the id. */
  readonly payload: string;
  readonly grantDigest?: Buffer | undefined;
  /** The digest of the ticket that it ends with. */
  readonly ticketDigest?: Buffer | undefined;
  /** The digest of another id by which it is found, such as the user code of a device. */
  readonly aliasDigest?: Buffer | undefined;
  readonly client?: string | undefined;
  readonly userId?: number | undefined;
  readonly expiresAt?: number | undefined;
  readonly consumedAt?: number | undefined;
}

export interface ProviderEntriesRead {
  find(digest: Buffer): Promise<ProviderEntry | undefined>;
  findByAlias(kind: string, aliasDigest: Buffer): Promise<ProviderEntry | undefined>;
  /** Up to `limit` entries of this kind that the client has, in the order of their digests, after that of `after`. */
  ofClient(client: string, kind: string, after: Buffer, limit: number): Promise<ProviderEntry[]>;
  /** The entries of this kind that belong to the user, in no order. */
  ofUser(userId: number, kind: string): Promise<ProviderEntry[]>;
}

/** The kind of an entry that stands for a grant whose user ended it, until the application has its logout token. The entry has the key of the grant. */
export const ENDED_GRANT = 'EndedGrant';
/** The kinds of entries whose end causes a logout token for the application. */
export const TOLD: readonly string[] = ['Grant', ENDED_GRANT];

/** The id that these entries of removed users have in place of theirs: no user has it. */
export const NOBODY = 0;

/** Entries of a removed client or user are removed with it; those of the user that are still to be told are {@link NOBODY}'s from then on. */
export interface ProviderEntries extends ProviderEntriesRead {
  /** Adds an entry, or replaces all of it but `consumedAt`, which is never undone. */
  put(entry: ProviderEntry): Promise<void>;
  /** Marks the entry as consumed; returns false, and changes nothing, when it is consumed already, or there is none. */
  consume(digest: Buffer, at: number): Promise<boolean>;
  remove(digest: Buffer): Promise<void>;
  /** Removes all entries of a grant; returns how many. */
  removeOfGrant(grantDigest: Buffer): Promise<number>;
  /** Removes up to `limit` entries that expired before this time; returns how many. */
  sweep(before: number, limit: number): Promise<number>;
  /** Keeps only the `most` entries of requests without a sign-in that expire last. Removes up to `limit` others, and returns how many. */
  trim(most: number, limit: number): Promise<number>;
}

declare module '../../../core/storage/store.ts' {
  interface ReadUnit {
    readonly providerEntries: ProviderEntriesRead;
  }
  interface WriteUnit {
    readonly providerEntries: ProviderEntries;
  }
}

/** The kinds of entries that a request without a sign-in makes: steps of a sign-in that begins, as long as they name no ticket. */
export const BEFORE_SIGN_IN: readonly string[] = [
  'Interaction',
  'Session',
  'DeviceCode',
  'PushedAuthorizationRequest',
];

const COLUMNS =
  'digest, kind, payload, grant_digest, ticket_digest, alias_digest, client, user_id, expires_at, consumed_at';
const REPLACED = COLUMNS.split(', ').filter((column) => column !== 'digest' && column !== 'consumed_at');

const SQL = statements('provider_entries', {
  find: `SELECT ${COLUMNS} FROM provider_entries WHERE digest = $1`,
  findByAlias: `SELECT ${COLUMNS} FROM provider_entries WHERE alias_digest = $2 AND kind = $1`,
  ofClient: `SELECT ${COLUMNS} FROM provider_entries WHERE client = $1 AND kind = $2 AND digest > $3 ORDER BY digest LIMIT $4`,
  ofUser: `SELECT ${COLUMNS} FROM provider_entries WHERE user_id = $1 AND kind = $2`,
  put: `INSERT INTO provider_entries (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (digest) DO UPDATE SET ${REPLACED.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  consume: 'UPDATE provider_entries SET consumed_at = $2 WHERE digest = $1 AND consumed_at IS NULL',
  remove: 'DELETE FROM provider_entries WHERE digest = $1',
  removeOfGrant: 'DELETE FROM provider_entries WHERE grant_digest = $1',
  sweep: `DELETE FROM provider_entries WHERE digest IN
    (SELECT digest FROM provider_entries WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)`,
  trim: `DELETE FROM provider_entries WHERE digest IN
    (SELECT digest FROM provider_entries WHERE ticket_digest IS NULL AND expires_at IS NOT NULL
      AND kind IN ('${BEFORE_SIGN_IN.join("', '")}') ORDER BY expires_at DESC LIMIT $2 OFFSET $1)`,
  removeOfUser: `DELETE FROM provider_entries WHERE user_id = $1 AND kind NOT IN ('${TOLD.join("', '")}')`,
  giveToNobody: `UPDATE provider_entries SET user_id = ${NOBODY} WHERE user_id = $1`,
});

function entryValues(entry: ProviderEntry): (string | number | Buffer | null)[] {
  const { digest, kind, payload, grantDigest, ticketDigest, aliasDigest } = entry;
  const { client = null, userId = null, expiresAt = null, consumedAt = null } = entry;
  const digests = [grantDigest ?? null, ticketDigest ?? null, aliasDigest ?? null];
  return [digest, kind, payload, ...digests, client, userId, expiresAt, consumedAt];
}

const bytes = (value: unknown) => (value === null ? undefined : bufferOf(value));

const toEntry = (row: SqlRow): ProviderEntry => ({
  digest: bufferOf(row.digest),
  kind: row.kind as string,
  payload: row.payload as string,
  grantDigest: bytes(row.grant_digest),
  ticketDigest: bytes(row.ticket_digest),
  aliasDigest: bytes(row.alias_digest),
  client: (row.client as string | null) ?? undefined,
  userId: (row.user_id as number | null) ?? undefined,
  expiresAt: (row.expires_at as number | null) ?? undefined,
  consumedAt: (row.consumed_at as number | null) ?? undefined,
});

const one = ([row]: readonly SqlRow[]) => row && toEntry(row);

const read = (db: Reading): ProviderEntriesRead => ({
  find: async (digest) => one(await db.rows(SQL.find, digest)),
  findByAlias: async (kind, aliasDigest) => one(await db.rows(SQL.findByAlias, kind, aliasDigest)),
  ofClient: async (...values) => (await db.rows(SQL.ofClient, ...values)).map(toEntry),
  ofUser: async (userId, kind) => (await db.rows(SQL.ofUser, userId, kind)).map(toEntry),
});

export const providerEntriesTable: UnitTable = {
  member: 'providerEntries',
  read,
  write: (db): ProviderEntries => ({
    ...read(db),
    put: (entry) => db.send(SQL.put, ...entryValues(entry)),
    consume: async (digest, at) => (await db.change(SQL.consume, digest, at)) === 1,
    remove: (digest) => db.send(SQL.remove, digest),
    removeOfGrant: (grantDigest) => db.change(SQL.removeOfGrant, grantDigest),
    sweep: (before, limit) => db.change(SQL.sweep, before, limit),
    trim: (most, limit) => db.change(SQL.trim, most, limit),
  }),
  removeOfUser: [SQL.removeOfUser, SQL.giveToNobody],
};

/** How many steps of sign-ins that have only begun are kept: more than people begin in an hour. */
const MOST_BEGUN = 100_000;

/** Removes what the protocol kept and what is over, and what strangers begin beyond a limit. */
export const entriesSweep: Sweep = {
  async batch({ providerEntries }, { now }, limit) {
    const expired = await providerEntries.sweep(now, limit);
    return expired + (await providerEntries.trim(MOST_BEGUN, limit - expired));
  },
};
