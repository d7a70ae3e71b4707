-- The form of a name in which those that look alike are the same; empty if that is the key.
ALTER TABLE users ADD COLUMN lookalike text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX users_by_lookalike ON users (lookalike) WHERE lookalike <> '';
