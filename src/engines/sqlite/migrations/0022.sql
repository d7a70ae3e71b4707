-- The application that has a ticket for itself; '' for any other.
ALTER TABLE ticket_origins ADD COLUMN application TEXT NOT NULL DEFAULT '';
-- How the user proved who it is, by the names of RFC 8176 with spaces between them; '' if that is not known.
ALTER TABLE ticket_origins ADD COLUMN methods TEXT NOT NULL DEFAULT '';
