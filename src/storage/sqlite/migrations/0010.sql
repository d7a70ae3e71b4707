-- Where tickets were issued; nothing is known of those from before. Only lists read it, so it stays out of the rows that each
-- validation reads. A trigger keeps it, since instances of the version before end tickets too.
CREATE TABLE ticket_origins (
  digest BLOB PRIMARY KEY,
  place TEXT NOT NULL,
  program TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER ticket_ended AFTER DELETE ON tickets BEGIN
  DELETE FROM ticket_origins WHERE digest = old.digest;
END;
