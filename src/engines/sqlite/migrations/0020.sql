-- Applications: registered clients that people sign in to. The settings are JSON. A client without a secret has a digest of no bytes.
CREATE TABLE applications (
  client TEXT NOT NULL PRIMARY KEY,
  settings TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- What the OpenID provider keeps of sessions, grants, codes and tokens. The digest is that of the kind and the id; no id is stored.
-- alias_digest is that of another id by which an entry is found, such as the user code of a device.
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
CREATE INDEX provider_entries_of_grant ON provider_entries (grant_digest) WHERE grant_digest IS NOT NULL;
CREATE INDEX provider_entries_of_ticket ON provider_entries (ticket_digest) WHERE ticket_digest IS NOT NULL;
CREATE INDEX provider_entries_by_alias ON provider_entries (alias_digest) WHERE alias_digest IS NOT NULL;
CREATE INDEX provider_entries_of_client ON provider_entries (client) WHERE client IS NOT NULL;
CREATE INDEX provider_entries_of_user ON provider_entries (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX provider_entries_expire ON provider_entries (expires_at) WHERE expires_at IS NOT NULL;
-- The private keys that sign tokens, sealed. A retired key signs no more and is still published.
CREATE TABLE signing_keys (
  kid TEXT NOT NULL PRIMARY KEY,
  alg TEXT NOT NULL,
  sealed BLOB NOT NULL,
  added_at INTEGER NOT NULL,
  retired_at INTEGER
) STRICT, WITHOUT ROWID;
-- A trigger, since instances of the version before remove clients too.
CREATE TRIGGER client_removed AFTER DELETE ON clients BEGIN
  DELETE FROM applications WHERE client = old.name;
  DELETE FROM provider_entries WHERE client = old.name;
END;
