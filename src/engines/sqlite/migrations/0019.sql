-- The User-Agent of the call that an event is about; '' if it had none, or if the calls of a tally had several.
ALTER TABLE events ADD COLUMN program TEXT NOT NULL DEFAULT '';
ALTER TABLE webhook_deliveries ADD COLUMN program TEXT NOT NULL DEFAULT '';
DROP TRIGGER event_added;
CREATE TRIGGER event_added AFTER INSERT ON events WHEN EXISTS (SELECT 1 FROM webhook_receivers) BEGIN
  INSERT INTO webhook_deliveries
    (event_id, receiver, at, kind, about, actor, place, program, reason, count, due_at, attempts)
    SELECT new.id, id, new.at, new.kind, new.user, new.actor, new.place, new.program, new.reason, new.count,
      coalesce(new.minute * 60000 + 75000, new.at), 0
    FROM webhook_receivers WHERE gone_at IS NULL AND (kinds = '' OR instr(kinds, ' ' || new.kind || ' ') > 0);
END;
DROP TRIGGER event_counted;
CREATE TRIGGER event_counted AFTER UPDATE OF count ON events WHEN EXISTS (SELECT 1 FROM webhook_receivers) BEGIN
  UPDATE webhook_deliveries SET count = new.count, program = new.program WHERE event_id = new.id;
END;
