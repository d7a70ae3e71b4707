-- What ties tickets that are kept elsewhere to this database.
ALTER TABLE server ADD COLUMN database_id text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text;
