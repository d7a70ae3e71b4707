-- When a receiver of events last took one, noted at most once a minute.
ALTER TABLE webhook_receivers ADD COLUMN IF NOT EXISTS delivered_at bigint;
