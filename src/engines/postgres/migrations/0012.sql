-- The ids that another system gave to users and groups which it provisions (SCIM). Triggers keep it, since instances of the
-- version before remove users and groups too.
CREATE TABLE external_ids (
  kind text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE INDEX external_ids_found ON external_ids (kind, external_id);
CREATE FUNCTION external_id_is_removed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  DELETE FROM external_ids WHERE kind = TG_ARGV[0] AND id = old.id;
  RETURN NULL;
END $$;
CREATE TRIGGER user_external_id_removed AFTER DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION external_id_is_removed('user');
CREATE TRIGGER group_external_id_removed AFTER DELETE ON groups
  FOR EACH ROW EXECUTE FUNCTION external_id_is_removed('group');
