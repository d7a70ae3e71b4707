-- A new user is indexed for searches once, at the end of its transaction, with the profile that it has by then: to index it twice
-- took as long as all else of an import.
CREATE OR REPLACE FUNCTION user_is_added() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
  INSERT INTO user_search SELECT u.id, lower(u.key COLLATE "default") || coalesce(E'\n' || p.searched, '')
    FROM users u LEFT JOIN profiles p ON p.user_id = u.id WHERE u.id = new.id ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
DROP TRIGGER user_added ON users;
CREATE CONSTRAINT TRIGGER user_added AFTER INSERT ON users DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION user_is_added();
-- PL/pgSQL keeps the plan of a query, which a function in SQL makes for each statement anew. The index drops doubles itself.
CREATE OR REPLACE FUNCTION grams_of(text, bigint) RETURNS text[] IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$ BEGIN
  RETURN ARRAY(SELECT substr($1, at, 3) || $2 FROM generate_series(1, length($1) - 2) AS at);
END $$;
