-- Lists of events with several filters read few rows: by user or by address, then by kind. The first one holds the address, so that
-- a list of a user at an address need not read the rows of the others.
DROP INDEX events_of_user;
DROP INDEX events_from;
CREATE INDEX events_of_user ON events (user_key, kind, at, id, place);
CREATE INDEX events_from ON events (place, kind, at, id);
