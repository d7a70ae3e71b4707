-- The receivers of webhooks, and what is to be delivered to them: an event adds a delivery for each receiver of its kind.
-- Triggers add them, so that every process that writes an event does, also one of an older version.
CREATE TABLE webhook_receivers (
  id text COLLATE "C" PRIMARY KEY,
  kinds text COLLATE "C" NOT NULL,
  gone_at bigint,
  fault_at bigint,
  fault text COLLATE "C" NOT NULL
);
CREATE TABLE webhook_deliveries (
  event_id bigint NOT NULL,
  receiver text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  about text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL,
  place text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  due_at bigint NOT NULL,
  attempts bigint NOT NULL,
  dead_at bigint,
  PRIMARY KEY (event_id, receiver)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (receiver, due_at) WHERE dead_at IS NULL;
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (receiver) WHERE dead_at IS NOT NULL;
CREATE INDEX webhook_deliveries_at ON webhook_deliveries (at);
-- A tally is due 15 s after its minute: until then its count may rise.
CREATE FUNCTION event_is_added() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  IF EXISTS (SELECT FROM webhook_receivers) THEN
    INSERT INTO webhook_deliveries (event_id, receiver, at, kind, about, actor, place, reason, count, due_at, attempts)
      SELECT e.id, r.id, e.at, e.kind, e.user_name, e.actor, e.place, e.reason, e.count,
        coalesce(e.minute * 60000 + 75000, e.at), 0
      FROM added e JOIN webhook_receivers r
        ON r.gone_at IS NULL AND (r.kinds = '' OR position(' ' || e.kind || ' ' IN r.kinds) > 0);
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION event_is_counted() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  IF EXISTS (SELECT FROM webhook_receivers) THEN
    UPDATE webhook_deliveries d SET count = e.count FROM counted e WHERE d.event_id = e.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER event_added AFTER INSERT ON events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION event_is_added();
CREATE TRIGGER event_counted AFTER UPDATE ON events REFERENCING NEW TABLE AS counted
  FOR EACH STATEMENT EXECUTE FUNCTION event_is_counted();
