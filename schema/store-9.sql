-- The store, version 9: vectors of a large memory sorted by what they are near to, so that a search reads a few cells and not all codes. Derived from vector_byte and
-- vector_code. Layout: lib/store/vectors/cells.h.

CREATE TABLE vector_cells (
	vset INTEGER NOT NULL, user INTEGER NOT NULL,
	made INTEGER NOT NULL,                  -- microseconds: which centroids these are
	cells INTEGER NOT NULL,
	trained INTEGER NOT NULL,               -- slots that there were then
	slots INTEGER NOT NULL,                 -- so many, from the first on, stand in cells
	PRIMARY KEY (vset, user)
) STRICT, WITHOUT ROWID;

-- id = user << 44 | set << 28 | page
CREATE TABLE vector_centroid (id INTEGER PRIMARY KEY, slots BLOB NOT NULL) STRICT;
-- id = user << 44 | set << 28 | cell << 16 | page
CREATE TABLE vector_cell (id INTEGER PRIMARY KEY, slots BLOB NOT NULL) STRICT;

-- Slots of the first vectors of messages, 512 rows a box (row >> 9).
CREATE TABLE vector_place (
	vset INTEGER NOT NULL, box INTEGER NOT NULL,
	slots BLOB NOT NULL,
	PRIMARY KEY (vset, box)
) STRICT, WITHOUT ROWID;
