-- Links by which users choose a password, for invitations and forgotten passwords. The secret of a link is not stored.
CREATE TABLE password_links (
  user_id INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  digest BLOB NOT NULL UNIQUE,
  generation INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, purpose)
) STRICT, WITHOUT ROWID;
CREATE INDEX password_links_expire ON password_links (expires_at);
