-- The profiles of users. An unknown field is empty. The column searched holds names and e-mail in the form of keys.
CREATE TABLE profiles (
  user_id INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  organization TEXT NOT NULL,
  job_title TEXT NOT NULL,
  telephone TEXT NOT NULL,
  mobile TEXT NOT NULL,
  location TEXT NOT NULL,
  description TEXT NOT NULL,
  searched TEXT NOT NULL
) STRICT;

-- The role of an administrator stands in users; a group without a role has an empty one.
CREATE TABLE user_roles (
  user_id INTEGER PRIMARY KEY,
  role TEXT NOT NULL
) STRICT;

CREATE TABLE groups (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  display_name TEXT NOT NULL,
  role TEXT NOT NULL
) STRICT;

CREATE TABLE group_users (
  group_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX groups_of_user ON group_users (user_id, group_id);

CREATE TABLE group_groups (
  group_id INTEGER NOT NULL,
  member_id INTEGER NOT NULL,
  PRIMARY KEY (group_id, member_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX groups_of_group ON group_groups (member_id, group_id);

CREATE TABLE api_keys (
  name TEXT PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  role TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  expires_at INTEGER,
  used_at INTEGER
) STRICT, WITHOUT ROWID;

-- Who did what the event is about, if that was another one.
ALTER TABLE events ADD COLUMN actor TEXT NOT NULL DEFAULT '';
CREATE INDEX events_of_kind ON events (kind, at);
CREATE INDEX events_from ON events (place, at);

-- For lists of users with a filter.
CREATE INDEX administrators ON users (key) WHERE administrator;
CREATE INDEX disabled_users ON users (key) WHERE disabled;
CREATE INDEX locked_users ON users (key) WHERE locked_until > 0;

-- Finds users by any three characters of their names and e-mail. Triggers keep it, since instances of the version before add
-- and remove users too.
CREATE VIRTUAL TABLE user_search USING fts5(text, content = '', contentless_delete = 1, tokenize = 'trigram');
INSERT INTO user_search (rowid, text) SELECT id, key FROM users;
CREATE TRIGGER user_added AFTER INSERT ON users BEGIN
  INSERT INTO user_search (rowid, text) VALUES (new.id, new.key);
END;
CREATE TRIGGER user_removed AFTER DELETE ON users BEGIN
  DELETE FROM user_search WHERE rowid = old.id;
END;
-- OR REPLACE does not work here: a trigger has the conflict clause of the statement that fired it.
CREATE TRIGGER profile_added AFTER INSERT ON profiles BEGIN
  DELETE FROM user_search WHERE rowid = new.user_id;
  INSERT INTO user_search (rowid, text) SELECT id, key || char(10) || new.searched FROM users WHERE id = new.user_id;
END;
CREATE TRIGGER profile_changed AFTER UPDATE ON profiles BEGIN
  DELETE FROM user_search WHERE rowid = new.user_id;
  INSERT INTO user_search (rowid, text) SELECT id, key || char(10) || new.searched FROM users WHERE id = new.user_id;
END;
CREATE TRIGGER profile_removed AFTER DELETE ON profiles BEGIN
  DELETE FROM user_search WHERE rowid = old.user_id;
  INSERT INTO user_search (rowid, text) SELECT id, key FROM users WHERE id = old.user_id;
END;
