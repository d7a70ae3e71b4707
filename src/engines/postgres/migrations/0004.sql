-- Keys of users that were removed. Those from before are known as far as events go back.
CREATE TABLE removed_names (
  key text COLLATE "C" PRIMARY KEY
);
INSERT INTO removed_names SELECT DISTINCT user_key FROM events WHERE kind = 'user-removed';
