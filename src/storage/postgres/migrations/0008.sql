-- The three characters of a text are indexed once for each 65,536 users in a row, so that a search reads few rows of the
-- index and of the table, and finds users in the order of their ids.
DROP INDEX user_search_grams;
ALTER TABLE user_search DROP COLUMN grams;
CREATE FUNCTION grams_of(text, bigint) RETURNS text[] IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT coalesce(array_agg(DISTINCT substr($1, at, 3) || $2), '{}') FROM generate_series(1, length($1) - 2) AS at
$$;
DROP FUNCTION grams_of(text);
-- Entries that wait to be merged into the index would be looked through for each bucket.
CREATE INDEX user_search_grams ON user_search USING gin (grams_of(text, user_id / 65536)) WITH (fastupdate = off);

-- In the order of code points, lower() knows ASCII only. Keys have capital letters only where the case of names counts.
CREATE OR REPLACE FUNCTION user_is_added() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  INSERT INTO user_search VALUES (new.id, lower(new.key COLLATE "default")) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION profile_is_put() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  UPDATE user_search s SET text = lower(u.key COLLATE "default") || E'\n' || new.searched FROM users u
    WHERE s.user_id = new.user_id AND u.id = new.user_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION profile_is_removed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  UPDATE user_search s SET text = lower(u.key COLLATE "default") FROM users u WHERE s.user_id = old.user_id AND u.id = old.user_id;
  RETURN NULL;
END $$;

UPDATE user_search s SET text = lower(u.key COLLATE "default") || coalesce(E'\n' || p.searched, '')
  FROM users u LEFT JOIN profiles p ON p.user_id = u.id
  WHERE s.user_id = u.id AND u.key <> lower(u.key COLLATE "default");

-- The ids of users with a text in them, ascending. First it looks through the next users one by one, which finds what many
-- have, then through the index. One statement for all would leave the order and the choice to the planner.
CREATE FUNCTION users_with(part text, behind bigint, most bigint) RETURNS SETOF bigint STABLE LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
DECLARE
  seen bigint := behind + 2048;
  bucket bigint := seen / 65536;
  last bigint := (SELECT max(user_id) / 65536 FROM user_search);
  wanted bigint := most;
  returned bigint;
BEGIN
  RETURN QUERY SELECT s.user_id FROM user_search s
    WHERE s.user_id > behind AND s.user_id <= seen AND position(part IN s.text) > 0
    ORDER BY s.user_id LIMIT wanted;
  GET DIAGNOSTICS returned = ROW_COUNT;
  wanted := wanted - returned;
  WHILE wanted > 0 AND bucket <= last LOOP
    -- The sums keep the planner from reading the whole table in the order of ids.
    RETURN QUERY SELECT s.user_id FROM user_search s
      WHERE grams_of(s.text, s.user_id / 65536) @> grams_of(part, bucket)
        AND position(part IN s.text) > 0 AND s.user_id + 0 > seen
      ORDER BY s.user_id + 0 LIMIT wanted;
    GET DIAGNOSTICS returned = ROW_COUNT;
    wanted := wanted - returned;
    bucket := bucket + 1;
  END LOOP;
END $$;
