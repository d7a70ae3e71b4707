-- Links by which users choose a password, for invitations and forgotten passwords. The secret of a link is not stored.
CREATE TABLE password_links (
  user_id bigint NOT NULL,
  purpose text COLLATE "C" NOT NULL,
  digest bytea NOT NULL UNIQUE,
  generation bigint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (user_id, purpose)
);
CREATE INDEX password_links_expire ON password_links (expires_at);
