-- When a ticket of the user last ended, or the user last changed: a Redis that lost its last writes may not know it.
ALTER TABLE users ADD COLUMN revoked_at INTEGER NOT NULL DEFAULT 0;
