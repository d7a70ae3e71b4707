-- The User-Agent of the call that an event is about; '' if it had none, or if the calls of a tally had several.
ALTER TABLE events ADD COLUMN program text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE webhook_deliveries ADD COLUMN program text COLLATE "C" NOT NULL DEFAULT '';
CREATE OR REPLACE FUNCTION event_is_added() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  IF EXISTS (SELECT FROM webhook_receivers) THEN
    INSERT INTO webhook_deliveries
      (event_id, receiver, at, kind, about, actor, place, program, reason, count, due_at, attempts)
      SELECT e.id, r.id, e.at, e.kind, e.user_name, e.actor, e.place, e.program, e.reason, e.count,
        coalesce(e.minute * 60000 + 75000, e.at), 0
      FROM added e JOIN webhook_receivers r
        ON r.gone_at IS NULL AND (r.kinds = '' OR position(' ' || e.kind || ' ' IN r.kinds) > 0);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION event_is_counted() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  IF EXISTS (SELECT FROM webhook_receivers) THEN
    UPDATE webhook_deliveries d SET count = e.count, program = e.program FROM counted e WHERE d.event_id = e.id;
  END IF;
  RETURN NULL;
END $$;
