-- What ties tickets that are kept elsewhere to this database.
ALTER TABLE server ADD COLUMN database_id TEXT NOT NULL DEFAULT '';
UPDATE server SET database_id = lower(hex(randomblob(16)));
