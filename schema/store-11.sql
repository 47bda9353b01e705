-- The store, version 11: a sum of every page of the file, in bytes that SQLite leaves alone (lib/store/sqlite/pagesum.c). The step from an earlier version writes every page
-- anew, from the backup that it makes.

-- Sessions by their newest message, else by their making; those without either first. mem-list reads them in this order, a page at a time, however many there are.
CREATE INDEX session_time ON session (user, coalesce(updated, created, -9223372036854775808));
