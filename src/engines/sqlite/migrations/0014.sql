-- The receivers of webhooks, and what is to be delivered to them: an event adds a delivery for each receiver of its kind.
-- Triggers add them, so that every process that writes an event does, also one of an older version.
CREATE TABLE webhook_receivers (
  id TEXT NOT NULL PRIMARY KEY,
  kinds TEXT NOT NULL,
  gone_at INTEGER,
  fault_at INTEGER,
  fault TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE webhook_deliveries (
  event_id INTEGER NOT NULL,
  receiver TEXT NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  about TEXT NOT NULL,
  actor TEXT NOT NULL,
  place TEXT NOT NULL,
  reason TEXT NOT NULL,
  count INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  dead_at INTEGER,
  PRIMARY KEY (event_id, receiver)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (receiver, due_at) WHERE dead_at IS NULL;
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (receiver) WHERE dead_at IS NOT NULL;
CREATE INDEX webhook_deliveries_at ON webhook_deliveries (at);
-- A tally is due 15 s after its minute: until then its count may rise.
CREATE TRIGGER event_added AFTER INSERT ON events WHEN EXISTS (SELECT 1 FROM webhook_receivers) BEGIN
  INSERT INTO webhook_deliveries (event_id, receiver, at, kind, about, actor, place, reason, count, due_at, attempts)
    SELECT new.id, id, new.at, new.kind, new.user, new.actor, new.place, new.reason, new.count,
      coalesce(new.minute * 60000 + 75000, new.at), 0
    FROM webhook_receivers WHERE gone_at IS NULL AND (kinds = '' OR instr(kinds, ' ' || new.kind || ' ') > 0);
END;
CREATE TRIGGER event_counted AFTER UPDATE OF count ON events WHEN EXISTS (SELECT 1 FROM webhook_receivers) BEGIN
  UPDATE webhook_deliveries SET count = new.count WHERE event_id = new.id;
END;
