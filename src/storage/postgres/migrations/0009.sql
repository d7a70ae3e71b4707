-- Where tickets were issued; nothing is known of those from before. Only lists read it, so it stays out of the rows that each
-- validation reads and each use writes anew. A trigger keeps it, since instances of the version before end tickets too.
CREATE TABLE ticket_origins (
  digest bytea PRIMARY KEY,
  place text COLLATE "C" NOT NULL,
  program text COLLATE "C" NOT NULL
);
CREATE FUNCTION ticket_is_ended() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  DELETE FROM ticket_origins WHERE digest = old.digest;
  RETURN NULL;
END $$;
CREATE TRIGGER ticket_ended AFTER DELETE ON tickets FOR EACH ROW EXECUTE FUNCTION ticket_is_ended();
