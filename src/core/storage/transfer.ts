/**
 * How a whole store is copied from one engine to another, row by row. Only the command line uses it; operations see the
 * port alone.
 */

export type ColumnKind = 'number' | 'text' | 'bytes' | 'flag';

/** A table. Every row has its columns in this order; the first `key` columns identify it. */
export interface TransferTable {
  readonly name: PartName;
  readonly key: number;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** Whether a column besides the key is unique too: a row that goes has to be removed before its successor is added. */
  readonly tradesPlaces?: true;
}

export type PartName =
  | 'server'
  | 'users'
  | 'removed_names'
  | 'clients'
  | 'applications'
  | 'provider_entries'
  | 'signing_keys'
  | 'tickets'
  | 'ticket_origins'
  | 'ticket_parents'
  | 'attempts'
  | 'familiar_addresses'
  | 'profiles'
  | 'user_roles'
  | 'groups'
  | 'group_users'
  | 'group_groups'
  | 'api_keys'
  | 'external_identities'
  | 'external_ids'
  | 'freed_names'
  | 'app_passwords'
  | 'passkeys'
  | 'totp_secrets'
  | 'recovery_codes'
  | 'password_links'
  | 'node_stores'
  | 'nodes'
  | 'events'
  | 'webhook_deliveries'
  | 'webhook_receivers';

export type Scalar = string | number | boolean | Buffer | null;
export type TransferRow = readonly Scalar[];

/** All tables of a store. */
export const PARTS: readonly TransferTable[] = [
  {
    name: 'server',
    key: 1,
    columns: { one: 'number', generation: 'number', names_case_sensitive: 'flag', database_id: 'text' },
  },
  // Profiles come before users: PostgreSQL indexes a new user for searches together with its profile.
  {
    name: 'profiles',
    key: 1,
    columns: {
      user_id: 'number',
      first_name: 'text',
      last_name: 'text',
      email: 'text',
      organization: 'text',
      job_title: 'text',
      telephone: 'text',
      mobile: 'text',
      location: 'text',
      description: 'text',
      searched: 'text',
    },
  },
  {
    name: 'users',
    key: 1,
    columns: {
      id: 'number',
      key: 'text',
      name: 'text',
      administrator: 'flag',
      password_hash: 'text',
      disabled: 'flag',
      locked_until: 'number',
      generation: 'number',
      must_change_password: 'flag',
      provider: 'text',
      second_factor: 'flag',
      second_factor_asked_at: 'number',
      revoked_at: 'number',
      lookalike: 'text',
      last_login_at: 'number',
    },
    tradesPlaces: true,
  },
  { name: 'removed_names', key: 1, columns: { key: 'text' } },
  { name: 'clients', key: 1, columns: { name: 'text', secret_digest: 'bytes', added_at: 'number' } },
  // Behind the clients: whoever removes a client there removes the rows of it here.
  { name: 'applications', key: 1, columns: { client: 'text', settings: 'text' } },
  {
    name: 'provider_entries',
    key: 1,
    columns: {
      digest: 'bytes',
      kind: 'text',
      payload: 'text',
      grant_digest: 'bytes',
      ticket_digest: 'bytes',
      alias_digest: 'bytes',
      client: 'text',
      user_id: 'number',
      expires_at: 'number',
      consumed_at: 'number',
    },
  },
  {
    name: 'signing_keys',
    key: 1,
    columns: { kid: 'text', alg: 'text', sealed: 'bytes', added_at: 'number', retired_at: 'number' },
  },
  {
    name: 'tickets',
    key: 1,
    columns: {
      digest: 'bytes',
      user_id: 'number',
      user_generation: 'number',
      server_generation: 'number',
      issued_at: 'number',
      used_at: 'number',
    },
  },
  {
    name: 'ticket_origins',
    key: 2,
    columns: {
      issued_at: 'number',
      digest: 'bytes',
      place: 'text',
      program: 'text',
      app_password: 'text',
      token_provider: 'text',
      application: 'text',
      methods: 'text',
    },
  },
  {
    name: 'ticket_parents',
    key: 1,
    columns: { digest: 'bytes', parent_digest: 'bytes', checked_at: 'number' },
  },
  {
    name: 'attempts',
    key: 1,
    columns: {
      key: 'bytes',
      name_key: 'bytes',
      failures: 'number',
      since: 'number',
      last_failure_at: 'number',
      wait_until: 'number',
    },
  },
  {
    name: 'familiar_addresses',
    key: 2,
    columns: { user_id: 'number', address: 'text', last_login_at: 'number' },
  },
  { name: 'user_roles', key: 1, columns: { user_id: 'number', role: 'text' } },
  {
    name: 'groups',
    key: 1,
    columns: { id: 'number', key: 'text', name: 'text', display_name: 'text', role: 'text' },
    tradesPlaces: true,
  },
  { name: 'group_users', key: 2, columns: { group_id: 'number', user_id: 'number' } },
  { name: 'group_groups', key: 2, columns: { group_id: 'number', member_id: 'number' } },
  {
    name: 'api_keys',
    key: 1,
    columns: {
      name: 'text',
      digest: 'bytes',
      role: 'text',
      added_at: 'number',
      expires_at: 'number',
      used_at: 'number',
    },
    tradesPlaces: true,
  },
  {
    name: 'external_identities',
    key: 1,
    columns: {
      user_id: 'number',
      provider: 'text',
      subject: 'text',
      groups: 'text',
      checked_at: 'number',
      disabled_there: 'flag',
    },
    tradesPlaces: true,
  },
  { name: 'external_ids', key: 2, columns: { kind: 'text', id: 'number', external_id: 'text' } },
  {
    name: 'freed_names',
    key: 1,
    columns: { key: 'text', user_id: 'number', external_id: 'text', free_at: 'number' },
  },
  {
    name: 'app_passwords',
    key: 2,
    columns: {
      user_id: 'number',
      name: 'text',
      digest: 'bytes',
      made_at: 'number',
      expires_at: 'number',
      used_at: 'number',
      addresses: 'text',
    },
    tradesPlaces: true,
  },
  {
    name: 'passkeys',
    key: 1,
    columns: {
      credential_id: 'bytes',
      user_id: 'number',
      user_handle: 'bytes',
      public_key: 'bytes',
      sign_count: 'number',
      name: 'text',
      transports: 'text',
      made_at: 'number',
      used_at: 'number',
      challenge_at: 'number',
    },
  },
  {
    name: 'totp_secrets',
    key: 1,
    columns: { user_id: 'number', secret: 'bytes', made_at: 'number', last_step: 'number' },
  },
  { name: 'recovery_codes', key: 2, columns: { user_id: 'number', digest: 'bytes' } },
  {
    name: 'password_links',
    key: 2,
    columns: {
      user_id: 'number',
      purpose: 'text',
      digest: 'bytes',
      generation: 'number',
      expires_at: 'number',
    },
    tradesPlaces: true,
  },
  { name: 'node_stores', key: 1, columns: { number: 'number', name: 'text' }, tradesPlaces: true },
  {
    name: 'nodes',
    key: 2,
    columns: { store: 'number', id: 'text', type: 'text', name: 'text', parent: 'text' },
    tradesPlaces: true,
  },
  {
    name: 'events',
    key: 1,
    columns: {
      id: 'number',
      at: 'number',
      kind: 'text',
      user_name: 'text',
      user_key: 'text',
      place: 'text',
      digest: 'text',
      reason: 'text',
      count: 'number',
      minute: 'number',
      actor: 'text',
      program: 'text',
    },
  },
  {
    name: 'webhook_deliveries',
    key: 2,
    columns: {
      event_id: 'number',
      receiver: 'text',
      at: 'number',
      kind: 'text',
      about: 'text',
      actor: 'text',
      place: 'text',
      reason: 'text',
      count: 'number',
      due_at: 'number',
      attempts: 'number',
      dead_at: 'number',
      program: 'text',
    },
  },
  // The last one: where there is a receiver, each event that is copied would add a delivery.
  {
    name: 'webhook_receivers',
    key: 1,
    columns: {
      id: 'text',
      kinds: 'text',
      gone_at: 'number',
      fault_at: 'number',
      fault: 'text',
      delivered_at: 'number',
    },
  },
];

/** The key of a row. */
export function keyOf(part: TransferTable, row: TransferRow): TransferRow {
  return row.slice(0, part.key);
}

/** The names of the key's columns. */
export function keyColumns({ columns, key }: TransferTable): string[] {
  return Object.keys(columns).slice(0, key);
}
