PRAGMA application_id = 1416852338;
PRAGMA user_version = 7;
CREATE TABLE attempts (
  key BLOB PRIMARY KEY,
  name_key BLOB,
  failures INTEGER NOT NULL,
  since INTEGER NOT NULL,
  last_failure_at INTEGER NOT NULL,
  wait_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_of_name ON attempts (name_key);
CREATE TABLE clients (
  name TEXT PRIMARY KEY,
  secret_digest BLOB NOT NULL,
  added_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
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
) STRICT;
CREATE INDEX events_by_time ON events (at);
CREATE UNIQUE INDEX events_counted ON events (minute, kind, user, place, reason) WHERE minute IS NOT NULL;
CREATE INDEX events_of_user ON events (user_key, at);
CREATE TABLE familiar_addresses (
  user_id INTEGER NOT NULL,
  address TEXT NOT NULL,
  last_login_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX familiar_by_time ON familiar_addresses (last_login_at);
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
CREATE TABLE removed_names (
  key TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE server (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  generation INTEGER NOT NULL
, names_case_sensitive INTEGER, database_id TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE tickets (
  digest BLOB PRIMARY KEY,
  user_id INTEGER NOT NULL,
  user_generation INTEGER NOT NULL,
  server_generation INTEGER NOT NULL,
  issued_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tickets_of_user ON tickets (user_id, issued_at);
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  administrator INTEGER NOT NULL,
  password_hash TEXT,
  disabled INTEGER NOT NULL,
  locked_until INTEGER NOT NULL,
  generation INTEGER NOT NULL
) STRICT;
