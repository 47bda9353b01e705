-- The store, version 5: subcategories of the five roots, and which records are in them. Derived, but for their ids and names: mem-cluster would find others.

-- id = user << 44 | number; the numbers are never used again.
CREATE TABLE category (
	id INTEGER PRIMARY KEY,
	root INTEGER NOT NULL CHECK (root BETWEEN 0 AND 4),
	ulid BLOB NOT NULL,
	name TEXT NOT NULL,                     -- "": a member was removed, whose words may not stay; the next run names it
	keywords TEXT NOT NULL,                 -- JSON array
	created INTEGER NOT NULL, updated INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX category_ulid ON category (ulid);

CREATE TABLE category_member (
	row INTEGER NOT NULL, kind INTEGER NOT NULL,           -- of a record, as vectors number their kinds
	category INTEGER NOT NULL,
	PRIMARY KEY (row, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX category_member_of ON category_member (category);

CREATE TABLE category_run (
	user INTEGER PRIMARY KEY,
	time INTEGER NOT NULL,                  -- of the last one
	runs INTEGER NOT NULL,                  -- how many there were: one that was overtaken changes nothing
	next INTEGER NOT NULL                   -- the next category's number
) STRICT;
