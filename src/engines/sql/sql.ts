import type { RegisteredClient } from '../../core/domain/client.ts';
import type { Event, EventKind, RecordedEvent } from '../../core/domain/event.ts';
import type { Counter } from '../../core/domain/lockout.ts';
import type { AuthenticationMethod, TicketOrigin } from '../../core/domain/ticket.ts';
import { lookalikeKey, type User, userKey } from '../../core/domain/user.ts';
import {
  COUNTERS,
  type CounterKeys,
  eachCounter,
  type StoredThrottleState,
} from '../../core/storage/store.ts';

// What the SQL engines share: the statements that are the same in each, with placeholders such as `$1`, and what their
// rows mean. Flags are booleans in one engine and 0 or 1 in the other.

/** A row by the names of its columns. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** The bytes in a column. */
export function bufferOf(value: unknown): Buffer {
  const { buffer, byteOffset, byteLength } = value as Uint8Array;
  return Buffer.from(buffer, byteOffset, byteLength);
}

const USER_COLUMNS =
  'u.id, u.key, u.name, u.administrator, u.password_hash, u.disabled, u.locked_until, u.generation, u.must_change_password, u.provider, u.second_factor, u.second_factor_asked_at, u.last_login_at';

/** Begins a statement whose rows are for {@link toUser}; the table is called `u`. */
export const SELECT_USERS = `SELECT ${USER_COLUMNS} FROM users u`;

export const USERS = {
  find: `${SELECT_USERS} WHERE id = $1`,
  findByKey: `${SELECT_USERS} WHERE key = $1`,
  list: `${SELECT_USERS} ORDER BY key`,
  lookalikes: `SELECT * FROM (${SELECT_USERS} WHERE key = $1 UNION ${SELECT_USERS} WHERE lookalike = $1 AND lookalike <> '') AS found ORDER BY key`,
  page: `${SELECT_USERS} WHERE key > $1 ORDER BY key LIMIT $2`,
  pageByNumber: `${SELECT_USERS} WHERE id IN (SELECT id FROM users ORDER BY id LIMIT $2 OFFSET $1) ORDER BY id`,
  count: 'SELECT count(*) AS users FROM users',
  add: `INSERT INTO users (key, name, administrator, password_hash, disabled, locked_until, generation, must_change_password,
      provider, second_factor, second_factor_asked_at, last_login_at, lookalike)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (key) DO NOTHING RETURNING id`,
  change: `UPDATE users SET password_hash = CASE WHEN $2 THEN $3 ELSE password_hash END,
      disabled = coalesce($4, disabled), locked_until = coalesce($5, locked_until), generation = coalesce($6, generation),
      administrator = coalesce($7, administrator), must_change_password = coalesce($8, must_change_password),
      provider = coalesce($9, provider), second_factor = coalesce($10, second_factor),
      second_factor_asked_at = coalesce($11, second_factor_asked_at), last_login_at = coalesce($12, last_login_at)
    WHERE id = $1`,
  rename:
    'UPDATE users SET name = $2, key = $3, lookalike = $4 WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM users WHERE key = $3 AND id <> $1)',
  noteRevocation: 'UPDATE users SET revoked_at = $2 WHERE id = $1 AND revoked_at < $2',
  revokedSince: 'SELECT id FROM users WHERE revoked_at >= $1 LIMIT $2',
  wasRemoved: 'SELECT 1 FROM removed_names WHERE key = $1',
  rememberName: 'INSERT INTO removed_names SELECT key FROM users WHERE id = $1 ON CONFLICT DO NOTHING',
  remove: 'DELETE FROM users WHERE id = $1',
  removeAddresses: 'DELETE FROM familiar_addresses WHERE user_id = $1',
  removeProfile: 'DELETE FROM profiles WHERE user_id = $1',
  removeRole: 'DELETE FROM user_roles WHERE user_id = $1',
  removeMemberships: 'DELETE FROM group_users WHERE user_id = $1',
  namesCaseSensitive: 'SELECT names_case_sensitive AS sensitive FROM server',
  setNamesCaseSensitive: 'UPDATE server SET names_case_sensitive = $1',
  databaseId: 'SELECT database_id AS id FROM server',
} as const;

/** What is kept to find a user by a name that looks alike: nothing if the key finds it. */
export function storedLookalike({ name, key }: Pick<User, 'name' | 'key'>): string {
  const lookalike = lookalikeKey(name);
  return lookalike === key ? '' : lookalike;
}

/** The statements of {@link USERS} that remove a user, in the order in which they run. */
export const USER_REMOVAL = [
  'rememberName',
  'remove',
  'removeAddresses',
  'removeProfile',
  'removeRole',
  'removeMemberships',
] as const;

export function toUser(row: SqlRow): User {
  return {
    id: row.id as number,
    key: row.key as string,
    name: row.name as string,
    administrator: Boolean(row.administrator),
    passwordHash: (row.password_hash as string | null) ?? undefined,
    disabled: Boolean(row.disabled),
    lockedUntil: row.locked_until as number,
    generation: row.generation as number,
    mustChangePassword: Boolean(row.must_change_password),
    provider: row.provider === '' ? undefined : (row.provider as string),
    hasSecondFactor: Boolean(row.second_factor),
    secondFactorAskedAt: row.second_factor_asked_at as number,
    lastLoginAt: row.last_login_at as number,
  };
}

export const ORIGIN_COLUMNS = 'place, program, app_password, token_provider, application, methods';

export const TICKETS = {
  countOf: 'SELECT count(*) AS tickets FROM tickets WHERE user_id = $1',
  serverGeneration: 'SELECT generation FROM server',
  issue: 'INSERT INTO tickets VALUES ($1, $2, $3, $4, $5, $6)',
  setOrigin: `INSERT INTO ticket_origins (issued_at, digest, ${ORIGIN_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
  end: 'DELETE FROM tickets WHERE digest = $1',
  moveToGeneration: 'UPDATE tickets SET user_generation = $2 WHERE digest = $1 AND user_generation = $2 - 1',
  raiseServerGeneration: 'UPDATE server SET generation = generation + 1 RETURNING generation',
} as const;

/** The columns of a ticket beside its digest; the table is called `t`. */
export const TICKET_COLUMNS = 't.user_id, t.user_generation, t.server_generation, t.issued_at, t.used_at';

/** The values of {@link ORIGIN_COLUMNS}. */
export function originValues(origin: TicketOrigin): string[] {
  const { from, program = '', appPassword = '', tokenProvider = '', application = '', methods = [] } = origin;
  return [from, program, appPassword, tokenProvider, application, methods.join(' ')];
}

/** The origin in a row of `ticket_origins`. */
export function toOrigin(row: SqlRow): TicketOrigin {
  const { place, program, app_password, ...more } = row;
  const [tokenProvider, application, methods] = [more.token_provider, more.application, more.methods].map(
    unlessEmpty,
  );
  return {
    from: place as string,
    program: unlessEmpty(program),
    appPassword: unlessEmpty(app_password),
    ...(tokenProvider !== undefined && { tokenProvider }),
    ...(application !== undefined && { application }),
    ...(methods !== undefined && { methods: methods.split(' ') as AuthenticationMethod[] }),
  };
}

const counterColumns = (which: keyof CounterKeys) =>
  ['failures', 'since', 'last_failure_at', 'wait_until'].map(
    (column) => `${which}.${column} AS ${which}_${column}`,
  );
const joinedCounters = COUNTERS.map(
  (which, index) => `LEFT JOIN attempts ${which} ON ${which}.key = $${index + 3}`,
);

export const ATTEMPTS = {
  /** By the user's key, the address, and the keys of the counters as {@link counterBytes}. */
  throttleState: `SELECT ${USER_COLUMNS}, f.last_login_at AS familiar_since, ${COUNTERS.flatMap(counterColumns).join(', ')}
    FROM (SELECT 1) asked LEFT JOIN users u ON u.key = $1
      LEFT JOIN familiar_addresses f ON f.user_id = u.id AND f.address = $2
      ${joinedCounters.join(' ')}`,
  put: `INSERT INTO attempts VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (key) DO UPDATE SET
      name_key = excluded.name_key, failures = excluded.failures, since = excluded.since,
      last_failure_at = excluded.last_failure_at, wait_until = excluded.wait_until`,
  remove: 'DELETE FROM attempts WHERE key = $1',
  removeOfName: 'DELETE FROM attempts WHERE name_key = $1',
  setFamiliar: `INSERT INTO familiar_addresses VALUES ($1, $2, $3)
    ON CONFLICT (user_id, address) DO UPDATE SET last_login_at = excluded.last_login_at`,
  forgetFamiliar: 'DELETE FROM familiar_addresses WHERE user_id = $1 AND address = $2',
} as const;

/** The keys of the counters as bytes, in the order of {@link COUNTERS}. */
export function counterBytes(keys: CounterKeys): Buffer[] {
  return COUNTERS.map((which) => Buffer.from(keys[which], 'hex'));
}

function counterIn(row: SqlRow, which: keyof CounterKeys): Counter | undefined {
  const failures = row[`${which}_failures`];
  if (failures === null) return undefined;
  return {
    failures: failures as number,
    since: row[`${which}_since`] as number,
    lastFailureAt: row[`${which}_last_failure_at`] as number,
    waitUntil: row[`${which}_wait_until`] as number,
  };
}

export function toThrottleState(row: SqlRow): StoredThrottleState {
  return {
    user: row.id === null ? undefined : toUser(row),
    counters: eachCounter((which) => counterIn(row, which)),
    familiarSince: (row.familiar_since as number | null) ?? undefined,
  };
}

/** The values of an event's row, in the order of its columns; `minute` is null unless the row counts attempts. */
export function eventValues(event: Event, count: number, minute: number | null): (string | number | null)[] {
  const { at, kind, user = '', from = '', digest = '', reason = '', actor = '', program = '' } = event;
  return [at, kind, user, userKey(user), from, digest, reason, count, minute, actor, program];
}

/** The program of a row that counts further calls: none if they came from another one. */
export const PROGRAM_OF_ALL = "CASE WHEN events.program = excluded.program THEN events.program ELSE '' END";

const unlessEmpty = (text: unknown) => (text === '' ? undefined : (text as string));

export function toEvent(row: SqlRow): RecordedEvent {
  return {
    id: row.id as number,
    at: row.at as number,
    kind: row.kind as EventKind,
    user: unlessEmpty(row.user_name),
    actor: unlessEmpty(row.actor),
    from: unlessEmpty(row.place),
    program: unlessEmpty(row.program),
    digest: unlessEmpty(row.digest),
    reason: unlessEmpty(row.reason),
    count: row.count as number,
  };
}

export const CLIENTS = {
  find: 'SELECT name, secret_digest, added_at FROM clients WHERE name = $1',
  list: 'SELECT name, secret_digest, added_at FROM clients ORDER BY name',
  add: 'INSERT INTO clients (name, secret_digest, added_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING',
  setSecret: 'UPDATE clients SET secret_digest = $2 WHERE name = $1',
  remove: 'DELETE FROM clients WHERE name = $1',
} as const;

/** A client without a secret has a digest of no bytes, which instances of the version before never find equal to another. */
export const secretColumn = (digest: Buffer | undefined): Buffer => digest ?? Buffer.alloc(0);

export function toClient(row: SqlRow): RegisteredClient {
  const digest = bufferOf(row.secret_digest);
  return {
    name: row.name as string,
    secretDigest: digest.length === 0 ? undefined : digest,
    addedAt: row.added_at as number,
  };
}
