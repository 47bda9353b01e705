-- The store, version 13: what was done beside what was said. All of it is derived from the messages; the step from an earlier version makes it.

-- Which turns read or change a file, run a program, or tell of an error (lib/store/write/work.c). id = first row of the session + number of the page, each of 256 turns.
CREATE TABLE work (id INTEGER PRIMARY KEY, items BLOB NOT NULL) STRICT;
