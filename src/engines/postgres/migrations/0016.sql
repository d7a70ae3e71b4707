-- The names of users whom provisioning renamed or removed, with who had each: until free_at no other person gets it.
CREATE TABLE freed_names (
  key text COLLATE "C" PRIMARY KEY,
  user_id bigint NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  free_at bigint NOT NULL
);
CREATE INDEX freed_names_free ON freed_names (free_at);
