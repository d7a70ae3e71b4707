-- A node's parent is the id of another in the same store; the root's is empty, so that a store has one root of a name.
CREATE TABLE node_stores (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE nodes (
  store INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  parent TEXT NOT NULL,
  PRIMARY KEY (store, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX nodes_by_name ON nodes (store, parent, name);

INSERT INTO node_stores VALUES (1, 'workspace://SpacesStore');
INSERT INTO nodes VALUES
  (1, 'company-home', 'cm:folder', 'Company Home', ''),
  (1, 'data-dictionary', 'cm:folder', 'Data Dictionary', 'company-home'),
  (1, 'guest-home', 'cm:folder', 'Guest Home', 'company-home'),
  (1, 'user-homes', 'cm:folder', 'User Homes', 'company-home'),
  (1, 'sites', 'st:sites', 'Sites', 'company-home');
