-- When a user last logged in, noted at most once an hour; 0 if never. Of logins from before this column, what is still stored tells:
-- tickets, familiar addresses, and events since a user of the name was last added.
ALTER TABLE users ADD COLUMN last_login_at bigint NOT NULL DEFAULT 0;
UPDATE users SET last_login_at = seen.at FROM (
    SELECT user_id, max(at) AS at FROM (
      SELECT user_id, issued_at AS at FROM tickets
      UNION ALL SELECT user_id, last_login_at FROM familiar_addresses
      UNION ALL SELECT u.id, e.at FROM (
          SELECT user_key, user_name AS name, max(CASE WHEN kind = 'user-added' THEN 0 ELSE at END) AS at,
            max(CASE WHEN kind = 'user-added' THEN at ELSE 0 END) AS added_at
          FROM events WHERE kind IN ('login', 'password-accepted', 'user-added') GROUP BY user_key, user_name) AS e
        JOIN users u ON u.key IN (e.user_key, e.name) AND u.name = e.name
        WHERE e.at > 0 AND e.at >= e.added_at) AS told
    GROUP BY user_id) AS seen
  WHERE seen.user_id = users.id;
CREATE INDEX users_by_last_login ON users (last_login_at, key);
CREATE INDEX users_without_factor ON users (key) WHERE NOT second_factor;
