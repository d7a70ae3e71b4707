-- What turned a valid ticket into an invalid one, and in which transaction: instances that keep tickets in memory ask for what has come since they
-- last asked. A key is `t` and the digest of a ticket, `u` and the id of a user, or `*` for everything. A crash of the server
-- ends the connections of all instances, which then remember nothing, so the table need not survive it.
CREATE UNLOGGED TABLE revocations (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  key text COLLATE "C" NOT NULL
);
CREATE INDEX revocations_by_xid ON revocations (xid);
-- Below this transaction revocations may be removed already: whoever last asked before it remembers nothing. `next` will be
-- the floor once it is old enough.
CREATE UNLOGGED TABLE revocation_floor (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  floor xid8 NOT NULL,
  next xid8 NOT NULL,
  noted_at timestamptz NOT NULL
);
CREATE FUNCTION tickets_are_removed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  INSERT INTO revocations (key) SELECT 't' || encode(digest, 'hex') FROM gone;
  RETURN NULL;
END $$;
CREATE FUNCTION ticket_is_changed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  INSERT INTO revocations (key) VALUES ('t' || encode(OLD.digest, 'hex'));
  RETURN NULL;
END $$;
CREATE FUNCTION users_are_removed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  INSERT INTO revocations (key) SELECT 'u' || id FROM gone;
  RETURN NULL;
END $$;
CREATE FUNCTION user_is_changed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  INSERT INTO revocations (key) VALUES ('u' || OLD.id);
  RETURN NULL;
END $$;
CREATE FUNCTION everything_is_changed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  INSERT INTO revocations (key) VALUES ('*');
  RETURN NULL;
END $$;
CREATE TRIGGER tickets_removed AFTER DELETE ON tickets REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION tickets_are_removed();
-- A later use revokes nothing, and each use is written.
CREATE TRIGGER ticket_changed AFTER UPDATE ON tickets FOR EACH ROW
  WHEN (NEW.used_at < OLD.used_at OR (NEW.digest, NEW.user_id, NEW.user_generation, NEW.server_generation, NEW.issued_at)
    IS DISTINCT FROM (OLD.digest, OLD.user_id, OLD.user_generation, OLD.server_generation, OLD.issued_at))
  EXECUTE FUNCTION ticket_is_changed();
CREATE TRIGGER users_removed AFTER DELETE ON users REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION users_are_removed();
CREATE TRIGGER user_changed AFTER UPDATE ON users FOR EACH ROW
  WHEN ((NEW.id, NEW.name, NEW.administrator, NEW.disabled, NEW.locked_until, NEW.generation)
    IS DISTINCT FROM (OLD.id, OLD.name, OLD.administrator, OLD.disabled, OLD.locked_until, OLD.generation))
  EXECUTE FUNCTION user_is_changed();
CREATE TRIGGER server_changed AFTER DELETE OR UPDATE OF generation ON server
  FOR EACH STATEMENT EXECUTE FUNCTION everything_is_changed();
CREATE TRIGGER tickets_emptied AFTER TRUNCATE ON tickets FOR EACH STATEMENT EXECUTE FUNCTION everything_is_changed();
CREATE TRIGGER users_emptied AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION everything_is_changed();
CREATE TRIGGER server_emptied AFTER TRUNCATE ON server FOR EACH STATEMENT EXECUTE FUNCTION everything_is_changed();
-- A session that replays a log or restores data skips other triggers.
ALTER TABLE tickets ENABLE ALWAYS TRIGGER tickets_removed, ENABLE ALWAYS TRIGGER ticket_changed, ENABLE ALWAYS TRIGGER tickets_emptied;
ALTER TABLE users ENABLE ALWAYS TRIGGER users_removed, ENABLE ALWAYS TRIGGER user_changed, ENABLE ALWAYS TRIGGER users_emptied;
ALTER TABLE server ENABLE ALWAYS TRIGGER server_changed, ENABLE ALWAYS TRIGGER server_emptied;
