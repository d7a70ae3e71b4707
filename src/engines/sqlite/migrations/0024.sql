-- What a ticket ends with: the digest of the session at an identity provider where its user signed in, or of another ticket.
-- checked_at is when the sweeper looks next whether the ticket still exists.
CREATE TABLE ticket_parents (
  digest BLOB NOT NULL PRIMARY KEY,
  parent_digest BLOB NOT NULL,
  checked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX ticket_parents_by_parent ON ticket_parents (parent_digest);
CREATE INDEX ticket_parents_checked ON ticket_parents (checked_at);
