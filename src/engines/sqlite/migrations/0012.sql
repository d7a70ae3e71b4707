-- The directory or identity provider that a user belongs to, and the user's second factor.
ALTER TABLE users ADD COLUMN provider TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN second_factor INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN second_factor_asked_at INTEGER NOT NULL DEFAULT 0;
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
CREATE TRIGGER user_renamed AFTER UPDATE OF key ON users BEGIN
  DELETE FROM user_search WHERE rowid = new.id;
  INSERT INTO user_search (rowid, text) SELECT new.id,
    new.key || coalesce((SELECT char(10) || searched FROM profiles WHERE user_id = new.id), '');
END;
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
ALTER TABLE ticket_origins ADD COLUMN app_password TEXT NOT NULL DEFAULT '';
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
CREATE TABLE totp_secrets (
  user_id INTEGER NOT NULL PRIMARY KEY,
  secret BLOB NOT NULL,
  made_at INTEGER NOT NULL,
  last_step INTEGER NOT NULL
) STRICT;
CREATE TABLE recovery_codes (
  user_id INTEGER NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (user_id, digest)
) STRICT, WITHOUT ROWID;
