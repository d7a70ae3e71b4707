CREATE TABLE clients (
  name text COLLATE "C" PRIMARY KEY,
  secret_digest bytea NOT NULL,
  added_at bigint NOT NULL
);
