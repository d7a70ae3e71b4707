-- When a user last logged in, noted at most once an hour; 0 if never. Of logins from before this column, what is still stored tells:
-- tickets, familiar addresses, and events since a user of the name was last added.
-- Each part has a transaction of its own, so that validations go on: none keeps the users locked while it reads or changes many rows.
ALTER TABLE users ADD COLUMN IF NOT EXISTS last_login_at bigint NOT NULL DEFAULT 0;
-- commit
CREATE TABLE IF NOT EXISTS last_logins AS
    SELECT user_id, max(at) AS at FROM (
      SELECT user_id, issued_at AS at FROM tickets
      UNION ALL SELECT user_id, last_login_at FROM familiar_addresses
      UNION ALL SELECT u.id, e.at FROM (
          SELECT user_key, user_name AS name, max(CASE WHEN kind = 'user-added' THEN 0 ELSE at END) AS at,
            max(CASE WHEN kind = 'user-added' THEN at ELSE 0 END) AS added_at
          FROM events WHERE kind IN ('login', 'password-accepted', 'user-added') GROUP BY user_key, user_name) AS e
        JOIN users u ON u.key IN (e.user_key, e.name) AND u.name = e.name
        WHERE e.at > 0 AND e.at >= e.added_at) AS told
    GROUP BY user_id;
CREATE INDEX IF NOT EXISTS last_logins_by_user ON last_logins (user_id);
-- commit
-- again until it returns no row: a login waits for its user while these are changed.
WITH batch AS (
    DELETE FROM last_logins WHERE user_id = ANY (ARRAY(SELECT user_id FROM last_logins ORDER BY user_id LIMIT 1000))
    RETURNING user_id, at),
  -- By an array, so that the index is used and not all users are read each time.
  noted AS (
    UPDATE users SET last_login_at = batch.at FROM batch
    WHERE users.id = ANY (ARRAY(SELECT user_id FROM batch)) AND users.id = batch.user_id AND users.last_login_at < batch.at)
SELECT user_id FROM batch;
-- commit
DROP TABLE last_logins;
CREATE INDEX IF NOT EXISTS users_by_last_login ON users (last_login_at, key);
CREATE INDEX IF NOT EXISTS users_without_factor ON users (key) WHERE NOT second_factor;
