-- Where tickets were issued; nothing is known of those from before. Only lists read it, so it stays out of the rows that each
-- validation reads. By the time of issue, logins write next to each other, which costs a third of a random place. A trigger
-- keeps it, since instances of the version before end tickets too.
CREATE TABLE ticket_origins (
  issued_at INTEGER NOT NULL,
  digest BLOB NOT NULL,
  place TEXT NOT NULL,
  program TEXT NOT NULL,
  PRIMARY KEY (issued_at, digest)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER ticket_ended AFTER DELETE ON tickets BEGIN
  DELETE FROM ticket_origins WHERE issued_at = old.issued_at AND digest = old.digest;
END;
