-- The names of users whom provisioning renamed or removed, with who had each: until free_at no other person gets it.
CREATE TABLE freed_names (
  key TEXT NOT NULL PRIMARY KEY,
  user_id INTEGER NOT NULL,
  external_id TEXT NOT NULL,
  free_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX freed_names_free ON freed_names (free_at);
