PRAGMA application_id = 1416852338;
PRAGMA user_version = 25;
CREATE INDEX administrators ON users (key) WHERE administrator;
CREATE TABLE api_keys (
  name TEXT PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  role TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  expires_at INTEGER,
  used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE app_passwords (
  user_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  digest BLOB NOT NULL UNIQUE,
  made_at INTEGER NOT NULL,
  expires_at INTEGER,
  used_at INTEGER,
  addresses TEXT NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX app_passwords_expiry ON app_passwords (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE applications (
  client TEXT NOT NULL PRIMARY KEY,
  settings TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE attempts (
  key BLOB PRIMARY KEY,
  name_key BLOB,
  failures INTEGER NOT NULL,
  since INTEGER NOT NULL,
  last_failure_at INTEGER NOT NULL,
  wait_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_of_name ON attempts (name_key);
CREATE TRIGGER client_removed AFTER DELETE ON clients BEGIN
  DELETE FROM applications WHERE client = old.name;
  DELETE FROM provider_entries WHERE client = old.name;
END;
CREATE TABLE clients (
  name TEXT PRIMARY KEY,
  secret_digest BLOB NOT NULL,
  added_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX disabled_users ON users (key) WHERE disabled;
CREATE TRIGGER event_added AFTER INSERT ON events WHEN EXISTS (SELECT 1 FROM webhook_receivers) BEGIN
  INSERT INTO webhook_deliveries
    (event_id, receiver, at, kind, about, actor, place, program, reason, count, due_at, attempts)
    SELECT new.id, id, new.at, new.kind, new.user, new.actor, new.place, new.program, new.reason, new.count,
      coalesce(new.minute * 60000 + 75000, new.at), 0
    FROM webhook_receivers WHERE gone_at IS NULL AND (kinds = '' OR instr(kinds, ' ' || new.kind || ' ') > 0);
END;
CREATE TRIGGER event_counted AFTER UPDATE OF count ON events WHEN EXISTS (SELECT 1 FROM webhook_receivers) BEGIN
  UPDATE webhook_deliveries SET count = new.count, program = new.program WHERE event_id = new.id;
END;
CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  user TEXT NOT NULL,
  user_key TEXT NOT NULL,
  place TEXT NOT NULL,
  digest TEXT NOT NULL,
  reason TEXT NOT NULL,
  count INTEGER NOT NULL,
  minute INTEGER
, actor TEXT NOT NULL DEFAULT '', program TEXT NOT NULL DEFAULT '') STRICT;
CREATE INDEX events_by_time ON events (at);
CREATE UNIQUE INDEX events_counted ON events (minute, kind, user, place, reason) WHERE minute IS NOT NULL;
CREATE INDEX events_from ON events (place, kind, at, id);
CREATE INDEX events_of_kind ON events (kind, at);
CREATE INDEX events_of_user ON events (user_key, kind, at, id, place);
CREATE TABLE external_identities (
  user_id INTEGER NOT NULL PRIMARY KEY,
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  groups TEXT NOT NULL,
  checked_at INTEGER NOT NULL,
  disabled_there INTEGER NOT NULL,
  UNIQUE (provider, subject)
) STRICT;
CREATE INDEX external_identities_checked ON external_identities (provider, checked_at);
CREATE TABLE external_ids (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  external_id TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX external_ids_found ON external_ids (kind, external_id);
CREATE TABLE familiar_addresses (
  user_id INTEGER NOT NULL,
  address TEXT NOT NULL,
  last_login_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX familiar_by_time ON familiar_addresses (last_login_at);
CREATE TABLE freed_names (
  key TEXT NOT NULL PRIMARY KEY,
  user_id INTEGER NOT NULL,
  external_id TEXT NOT NULL,
  free_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX freed_names_free ON freed_names (free_at);
CREATE TRIGGER group_external_id_removed AFTER DELETE ON groups BEGIN
  DELETE FROM external_ids WHERE kind = 'group' AND id = old.id;
END;
CREATE TABLE group_groups (
  group_id INTEGER NOT NULL,
  member_id INTEGER NOT NULL,
  PRIMARY KEY (group_id, member_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE group_users (
  group_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE groups (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  display_name TEXT NOT NULL,
  role TEXT NOT NULL
) STRICT;
CREATE INDEX groups_of_group ON group_groups (member_id, group_id);
CREATE INDEX groups_of_user ON group_users (user_id, group_id);
CREATE INDEX locked_users ON users (key) WHERE locked_until > 0;
CREATE TABLE node_stores (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE nodes (
  store INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  parent TEXT NOT NULL,
  PRIMARY KEY (store, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX nodes_by_name ON nodes (store, parent, name);
CREATE TABLE passkeys (
  credential_id BLOB NOT NULL PRIMARY KEY,
  user_id INTEGER NOT NULL,
  user_handle BLOB NOT NULL,
  public_key BLOB NOT NULL,
  sign_count INTEGER NOT NULL,
  name TEXT NOT NULL,
  transports TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  used_at INTEGER,
  challenge_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_of_user ON passkeys (user_id, made_at);
CREATE TABLE password_links (
  user_id INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  digest BLOB NOT NULL UNIQUE,
  generation INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, purpose)
) STRICT, WITHOUT ROWID;
CREATE INDEX password_links_expire ON password_links (expires_at);
CREATE TRIGGER profile_added AFTER INSERT ON profiles BEGIN
  DELETE FROM user_search WHERE rowid = new.user_id;
  INSERT INTO user_search (rowid, text) SELECT id, key || char(10) || new.searched FROM users WHERE id = new.user_id;
END;
CREATE TRIGGER profile_changed AFTER UPDATE ON profiles BEGIN
  DELETE FROM user_search WHERE rowid = new.user_id;
  INSERT INTO user_search (rowid, text) SELECT id, key || char(10) || new.searched FROM users WHERE id = new.user_id;
END;
CREATE TRIGGER profile_removed AFTER DELETE ON profiles BEGIN
  DELETE FROM user_search WHERE rowid = old.user_id;
  INSERT INTO user_search (rowid, text) SELECT id, key FROM users WHERE id = old.user_id;
END;
CREATE TABLE profiles (
  user_id INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  organization TEXT NOT NULL,
  job_title TEXT NOT NULL,
  telephone TEXT NOT NULL,
  mobile TEXT NOT NULL,
  location TEXT NOT NULL,
  description TEXT NOT NULL,
  searched TEXT NOT NULL
) STRICT;
CREATE TABLE provider_entries (
  digest BLOB NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  grant_digest BLOB,
  ticket_digest BLOB,
  alias_digest BLOB,
  client TEXT,
  user_id INTEGER,
  expires_at INTEGER,
  consumed_at INTEGER
) STRICT;
CREATE INDEX provider_entries_by_alias ON provider_entries (alias_digest) WHERE alias_digest IS NOT NULL;
CREATE INDEX provider_entries_expire ON provider_entries (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX provider_entries_of_client ON provider_entries (client) WHERE client IS NOT NULL;
CREATE INDEX provider_entries_of_grant ON provider_entries (grant_digest) WHERE grant_digest IS NOT NULL;
CREATE INDEX provider_entries_of_ticket ON provider_entries (ticket_digest) WHERE ticket_digest IS NOT NULL;
CREATE INDEX provider_entries_of_user ON provider_entries (user_id) WHERE user_id IS NOT NULL;
CREATE TABLE recovery_codes (
  user_id INTEGER NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (user_id, digest)
) STRICT, WITHOUT ROWID;
CREATE TABLE removed_names (
  key TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE server (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  generation INTEGER NOT NULL
, names_case_sensitive INTEGER, database_id TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE signing_keys (
  kid TEXT NOT NULL PRIMARY KEY,
  alg TEXT NOT NULL,
  sealed BLOB NOT NULL,
  added_at INTEGER NOT NULL,
  retired_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE TRIGGER ticket_ended AFTER DELETE ON tickets BEGIN
  DELETE FROM ticket_origins WHERE issued_at = old.issued_at AND digest = old.digest;
END;
CREATE TABLE ticket_origins (
  issued_at INTEGER NOT NULL,
  digest BLOB NOT NULL,
  place TEXT NOT NULL,
  program TEXT NOT NULL, app_password TEXT NOT NULL DEFAULT '', token_provider TEXT NOT NULL DEFAULT '', application TEXT NOT NULL DEFAULT '', methods TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (issued_at, digest)
) STRICT, WITHOUT ROWID;
CREATE TABLE ticket_parents (
  digest BLOB NOT NULL PRIMARY KEY,
  parent_digest BLOB NOT NULL,
  checked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX ticket_parents_by_parent ON ticket_parents (parent_digest);
CREATE INDEX ticket_parents_checked ON ticket_parents (checked_at);
CREATE TABLE tickets (
  digest BLOB PRIMARY KEY,
  user_id INTEGER NOT NULL,
  user_generation INTEGER NOT NULL,
  server_generation INTEGER NOT NULL,
  issued_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tickets_of_user ON tickets (user_id, issued_at);
CREATE TABLE totp_secrets (
  user_id INTEGER NOT NULL PRIMARY KEY,
  secret BLOB NOT NULL,
  made_at INTEGER NOT NULL,
  last_step INTEGER NOT NULL
) STRICT;
CREATE TRIGGER user_added AFTER INSERT ON users BEGIN
  INSERT INTO user_search (rowid, text) VALUES (new.id, new.key);
END;
CREATE TRIGGER user_external_id_removed AFTER DELETE ON users BEGIN
  DELETE FROM external_ids WHERE kind = 'user' AND id = old.id;
END;
CREATE TRIGGER user_removed AFTER DELETE ON users BEGIN
  DELETE FROM user_search WHERE rowid = old.id;
END;
CREATE TRIGGER user_renamed AFTER UPDATE OF key ON users BEGIN
  DELETE FROM user_search WHERE rowid = new.id;
  INSERT INTO user_search (rowid, text) SELECT new.id,
    new.key || coalesce((SELECT char(10) || searched FROM profiles WHERE user_id = new.id), '');
END;
CREATE TABLE user_roles (
  user_id INTEGER PRIMARY KEY,
  role TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE user_search USING fts5(text, content = '', contentless_delete = 1, tokenize = 'trigram');
CREATE TABLE 'user_search_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'user_search_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'user_search_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
CREATE TABLE 'user_search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  administrator INTEGER NOT NULL,
  password_hash TEXT,
  disabled INTEGER NOT NULL,
  locked_until INTEGER NOT NULL,
  generation INTEGER NOT NULL
, must_change_password INTEGER NOT NULL DEFAULT 0, provider TEXT NOT NULL DEFAULT '', second_factor INTEGER NOT NULL DEFAULT 0, second_factor_asked_at INTEGER NOT NULL DEFAULT 0, revoked_at INTEGER NOT NULL DEFAULT 0, lookalike TEXT NOT NULL DEFAULT '', last_login_at INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX users_by_last_login ON users (last_login_at, key);
CREATE INDEX users_by_lookalike ON users (lookalike) WHERE lookalike <> '';
CREATE INDEX users_without_factor ON users (key) WHERE NOT second_factor;
CREATE TABLE webhook_deliveries (
  event_id INTEGER NOT NULL,
  receiver TEXT NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  about TEXT NOT NULL,
  actor TEXT NOT NULL,
  place TEXT NOT NULL,
  reason TEXT NOT NULL,
  count INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  dead_at INTEGER, program TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (event_id, receiver)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_at ON webhook_deliveries (at);
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (receiver) WHERE dead_at IS NOT NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (receiver, due_at) WHERE dead_at IS NULL;
CREATE TABLE webhook_receivers (
  id TEXT NOT NULL PRIMARY KEY,
  kinds TEXT NOT NULL,
  gone_at INTEGER,
  fault_at INTEGER,
  fault TEXT NOT NULL
, delivered_at INTEGER) STRICT, WITHOUT ROWID;
