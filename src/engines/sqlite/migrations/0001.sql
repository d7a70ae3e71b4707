-- Times are epoch milliseconds. The application id spells "Tssr".
PRAGMA application_id = 1416852338;

CREATE TABLE server (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  generation INTEGER NOT NULL
) STRICT;
INSERT INTO server VALUES (1, 0);

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

CREATE TABLE tickets (
  digest BLOB PRIMARY KEY,
  user_id INTEGER NOT NULL,
  user_generation INTEGER NOT NULL,
  server_generation INTEGER NOT NULL,
  issued_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tickets_of_user ON tickets (user_id, issued_at);

CREATE TABLE attempts (
  key BLOB PRIMARY KEY,
  name_key BLOB,
  failures INTEGER NOT NULL,
  since INTEGER NOT NULL,
  last_failure_at INTEGER NOT NULL,
  wait_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_of_name ON attempts (name_key);

CREATE TABLE familiar_addresses (
  user_id INTEGER NOT NULL,
  address TEXT NOT NULL,
  last_login_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, address)
) STRICT, WITHOUT ROWID;

-- user_key is the name as names are compared; minute is set on the rows that count tries, and only there.
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
CREATE INDEX events_of_user ON events (user_key, at);
CREATE UNIQUE INDEX events_counted ON events (minute, kind, user, place, reason) WHERE minute IS NOT NULL;
