-- The store, version 2: vectors. All of it is derived: the texts can be embedded again.
--
-- A vector belongs to a record (kind and row, as in lib/store/vectors.h) and one of its chunks (part). A set is all vectors of one model; a slot is a vector's
-- number within its set and user, 0, 1, 2 ... in the order they were made. Both kinds of page hold the same slots, so a slot is found by arithmetic.

CREATE TABLE vector_set (
	no INTEGER PRIMARY KEY AUTOINCREMENT CHECK (no BETWEEN 1 AND 65535),       -- never used again
	name TEXT NOT NULL,
	sha256 BLOB NOT NULL UNIQUE,            -- of the model
	dims INTEGER NOT NULL CHECK (dims BETWEEN 1 AND 4096),
	unrelated REAL NOT NULL,                -- mean cosine of unrelated texts
	centre BLOB,                            -- float32, little endian; NULL: zeros
	current INTEGER NOT NULL DEFAULT 0      -- 1: searches use it
) STRICT;

CREATE TABLE vector_user (
	vset INTEGER NOT NULL, user INTEGER NOT NULL,
	slots INTEGER NOT NULL,                 -- dead ones too
	dead INTEGER NOT NULL,
	PRIMARY KEY (vset, user)
) STRICT, WITHOUT ROWID;

-- id = user << 44 | set << 28 | page. Layout: lib/store/vectors.h.
CREATE TABLE vector_code (id INTEGER PRIMARY KEY, slots BLOB NOT NULL) STRICT;
CREATE TABLE vector_byte (id INTEGER PRIMARY KEY, slots BLOB NOT NULL) STRICT;

-- Records of a box (row >> 20; of messages: a session) below done have their vectors, but those in vector_todo.
CREATE TABLE vector_done (
	vset INTEGER NOT NULL, kind INTEGER NOT NULL, box INTEGER NOT NULL,
	done INTEGER NOT NULL,                  -- row & 1048575 of the first not done
	PRIMARY KEY (vset, kind, box)
) STRICT, WITHOUT ROWID;

-- Exceptions to that: records passed over, and, anywhere, records that failed, which wait.
CREATE TABLE vector_todo (
	vset INTEGER NOT NULL, kind INTEGER NOT NULL, row INTEGER NOT NULL,
	tries INTEGER NOT NULL DEFAULT 0,
	due INTEGER NOT NULL DEFAULT 0,         -- microseconds
	PRIMARY KEY (vset, kind, row)
) STRICT, WITHOUT ROWID;
