-- The ids that another system gave to users and groups which it provisions (SCIM). Triggers keep it, since instances of the
-- version before remove users and groups too.
CREATE TABLE external_ids (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  external_id TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX external_ids_found ON external_ids (kind, external_id);
CREATE TRIGGER user_external_id_removed AFTER DELETE ON users BEGIN
  DELETE FROM external_ids WHERE kind = 'user' AND id = old.id;
END;
CREATE TRIGGER group_external_id_removed AFTER DELETE ON groups BEGIN
  DELETE FROM external_ids WHERE kind = 'group' AND id = old.id;
END;
