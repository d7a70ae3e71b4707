-- Applications: registered clients that people sign in to. The settings are JSON. A client without a secret has a digest of no bytes.
CREATE TABLE applications (
  client text COLLATE "C" PRIMARY KEY,
  settings text COLLATE "C" NOT NULL
);
-- What the OpenID provider keeps of sessions, grants, codes and tokens. The digest is that of the kind and the id; no id is stored.
-- alias_digest is that of another id by which an entry is found, such as the user code of a device.
CREATE TABLE provider_entries (
  digest bytea PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  payload text COLLATE "C" NOT NULL,
  grant_digest bytea,
  ticket_digest bytea,
  alias_digest bytea,
  client text COLLATE "C",
  user_id bigint,
  expires_at bigint,
  consumed_at bigint
);
CREATE INDEX provider_entries_of_grant ON provider_entries (grant_digest) WHERE grant_digest IS NOT NULL;
CREATE INDEX provider_entries_of_ticket ON provider_entries (ticket_digest) WHERE ticket_digest IS NOT NULL;
CREATE INDEX provider_entries_by_alias ON provider_entries (alias_digest) WHERE alias_digest IS NOT NULL;
CREATE INDEX provider_entries_of_client ON provider_entries (client) WHERE client IS NOT NULL;
CREATE INDEX provider_entries_of_user ON provider_entries (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX provider_entries_expire ON provider_entries (expires_at) WHERE expires_at IS NOT NULL;
-- The private keys that sign tokens, sealed. A retired key signs no more and is still published.
CREATE TABLE signing_keys (
  kid text COLLATE "C" PRIMARY KEY,
  alg text COLLATE "C" NOT NULL,
  sealed bytea NOT NULL,
  added_at bigint NOT NULL,
  retired_at bigint
);
-- A trigger, since instances of the version before remove clients too.
CREATE FUNCTION clients_are_removed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  DELETE FROM applications WHERE client IN (SELECT name FROM gone);
  DELETE FROM provider_entries WHERE client IN (SELECT name FROM gone);
  RETURN NULL;
END $$;
CREATE TRIGGER clients_removed AFTER DELETE ON clients REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION clients_are_removed();
