-- The store, version 6: when a job last ran, and what users wrote about themselves, which is used only with their consent.

CREATE TABLE job (
	user INTEGER NOT NULL,
	name TEXT NOT NULL,
	time INTEGER NOT NULL,                  -- when it was last begun
	PRIMARY KEY (user, name)
) STRICT, WITHOUT ROWID;

-- id = user << 44 | number; a value that changes gets a new number, and its vector with it.
CREATE TABLE profile (
	id INTEGER PRIMARY KEY,
	field TEXT NOT NULL,
	value TEXT NOT NULL,
	updated INTEGER NOT NULL
) STRICT;

CREATE TABLE profile_user (
	user INTEGER PRIMARY KEY,
	consent INTEGER NOT NULL,               -- 1: yes
	time INTEGER NOT NULL,                  -- since when that is so
	next INTEGER NOT NULL                   -- the next number
) STRICT;
