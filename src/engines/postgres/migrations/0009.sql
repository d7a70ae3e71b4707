-- Where tickets were issued; nothing is known of those from before. Only lists read it, so it stays out of the rows that each
-- validation reads and each use writes anew. By the time of issue, logins write next to each other. A trigger keeps it, since
-- instances of the version before end tickets too.
CREATE TABLE ticket_origins (
  issued_at bigint NOT NULL,
  digest bytea NOT NULL,
  place text COLLATE "C" NOT NULL,
  program text COLLATE "C" NOT NULL,
  PRIMARY KEY (issued_at, digest)
);
CREATE FUNCTION ticket_is_ended() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  DELETE FROM ticket_origins WHERE issued_at = old.issued_at AND digest = old.digest;
  RETURN NULL;
END $$;
CREATE TRIGGER ticket_ended AFTER DELETE ON tickets FOR EACH ROW EXECUTE FUNCTION ticket_is_ended();
