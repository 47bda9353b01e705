-- The store, version 15: what is new here for another store of the same person (mem-sync). All of it is base.

-- What came to be known here, in this order, each time that something did. No content: numbers of what is there, or was.
CREATE TABLE change (
	user INTEGER NOT NULL,
	no INTEGER NOT NULL,                    -- 1, 2, 3 ... of the user
	kind INTEGER NOT NULL,                  -- lib/store/write/changes.h
	what ANY NOT NULL,                      -- the first row of turns; a step; the key of what was removed
	n INTEGER NOT NULL,                     -- turns
	peer INTEGER,                           -- whom it came from; NULL: made here
	tag INTEGER NOT NULL,                   -- any number: of a store that was brought back from a backup the same no has another
	PRIMARY KEY (user, no)
) STRICT, WITHOUT ROWID;

-- Other stores, and no 0, of user 0: this one.
CREATE TABLE peer (
	no INTEGER PRIMARY KEY,
	user INTEGER NOT NULL,
	ulid BLOB NOT NULL,
	name TEXT NOT NULL,                     -- of its machine
	got INTEGER NOT NULL, got_tag INTEGER NOT NULL,        -- the last of its changes up to which all is here
	sent INTEGER NOT NULL                   -- the last of ours up to which all is there
) STRICT;
CREATE UNIQUE INDEX peer_ulid ON peer (user, ulid);

-- Ids that messages have in stores which read the same transcript for themselves: of two the smaller becomes the message's.
CREATE TABLE message_alias (
	ulid BLOB PRIMARY KEY,
	row INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX message_alias_row ON message_alias (row);
CREATE INDEX record_source_was_of ON record_source_was (of);

-- When title, prompt and metadata were last set: of two the later stand.
ALTER TABLE session ADD COLUMN told INTEGER;
-- The change with which it was looked at last.
ALTER TABLE record_access ADD COLUMN change INTEGER;

-- What is there already is new for every other store.
INSERT INTO change (user, no, kind, what, n, tag)
	SELECT user, row_number() OVER (PARTITION BY user ORDER BY kind, what), kind, what, n, random() & 9223372036854775807 FROM (
		SELECT user, 1 AS kind, id << 20 AS what, turns AS n FROM session
		UNION ALL SELECT id >> 44, 2, id, 0 FROM step
		UNION ALL SELECT user, 3, key, 0 FROM tombstone
		UNION ALL SELECT DISTINCT id >> 44, 4, 0, 0 FROM record_access
		UNION ALL SELECT user, 5, 0, 0 FROM profile_user WHERE time > 0);
UPDATE record_access SET change = (SELECT no FROM change WHERE user = record_access.id >> 44 AND kind = 4);
