-- The directory or identity provider that a user belongs to, and the user's second factor.
ALTER TABLE users ADD COLUMN provider text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN second_factor boolean NOT NULL DEFAULT false;
ALTER TABLE users ADD COLUMN second_factor_asked_at bigint NOT NULL DEFAULT 0;
CREATE TABLE external_identities (
  user_id bigint PRIMARY KEY,
  provider text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  groups text COLLATE "C" NOT NULL,
  checked_at bigint NOT NULL,
  disabled_there boolean NOT NULL,
  UNIQUE (provider, subject)
);
CREATE INDEX external_identities_checked ON external_identities (provider, checked_at);
CREATE FUNCTION user_is_renamed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  UPDATE user_search SET text = lower(new.key COLLATE "default")
      || coalesce((SELECT E'\n' || searched FROM profiles WHERE user_id = new.id), '')
    WHERE user_id = new.id;
  RETURN NULL;
END $$;
CREATE TRIGGER user_renamed AFTER UPDATE OF key ON users FOR EACH ROW EXECUTE FUNCTION user_is_renamed();
CREATE TABLE app_passwords (
  user_id bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  digest bytea NOT NULL UNIQUE,
  made_at bigint NOT NULL,
  expires_at bigint,
  used_at bigint,
  addresses text COLLATE "C" NOT NULL,
  PRIMARY KEY (user_id, name)
);
CREATE INDEX app_passwords_expiry ON app_passwords (expires_at) WHERE expires_at IS NOT NULL;
ALTER TABLE ticket_origins ADD COLUMN app_password text COLLATE "C" NOT NULL DEFAULT '';
CREATE TABLE passkeys (
  credential_id bytea PRIMARY KEY,
  user_id bigint NOT NULL,
  user_handle bytea NOT NULL,
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  transports text COLLATE "C" NOT NULL,
  made_at bigint NOT NULL,
  used_at bigint,
  challenge_at bigint NOT NULL
);
CREATE INDEX passkeys_of_user ON passkeys (user_id, made_at);
CREATE TABLE totp_secrets (
  user_id bigint PRIMARY KEY,
  secret bytea NOT NULL,
  made_at bigint NOT NULL,
  last_step bigint NOT NULL
);
CREATE TABLE recovery_codes (
  user_id bigint NOT NULL,
  digest bytea NOT NULL,
  PRIMARY KEY (user_id, digest)
);
