-- The store, version 4: what is known beside what was said. Facts, summaries and reflections are base, and so is the log of the steps that made them what they are.
--
-- A record's row number is user << 44 | number; the numbers go up in the order of storing and are never used again. Every change of a record belongs to a step, and before a step's first
-- change of a record its rows are copied, with the step's number, into the tables *_was. So a step is taken back exactly, and what was known at a time can be read.

CREATE TABLE record (
	id INTEGER PRIMARY KEY,
	type INTEGER NOT NULL,                  -- as vectors number their kinds: 1 fact, 2 summary, 3 reflection
	ulid BLOB NOT NULL,
	source TEXT,                            -- the id it had where it came from
	agent INTEGER, project INTEGER, session TEXT,
	time INTEGER, stored INTEGER NOT NULL,
	origin INTEGER NOT NULL, trust INTEGER NOT NULL,
	size INTEGER NOT NULL,                  -- characters of content
	sha256 BLOB NOT NULL,                   -- of content
	content TEXT NOT NULL,
	tags TEXT, extra TEXT,
	protected INTEGER NOT NULL,
	retracted INTEGER,                      -- when; NULL: it stands
	sort INTEGER,                           -- these five of summaries: 0 of a session, 1 of facts
	first INTEGER, last INTEGER,            -- turns of the session
	model TEXT, structured TEXT
) STRICT;
CREATE UNIQUE INDEX record_ulid ON record (ulid);
CREATE INDEX record_source_id ON record (source) WHERE source IS NOT NULL;
CREATE INDEX record_session ON record (session) WHERE session IS NOT NULL;
CREATE INDEX record_size ON record (id >> 44, type, size);

-- The next record's number, by user.
CREATE TABLE record_next (
	user INTEGER PRIMARY KEY REFERENCES user (no),
	next INTEGER NOT NULL
) STRICT;

CREATE TABLE fact (
	id INTEGER PRIMARY KEY REFERENCES record (id),
	key TEXT,
	bank TEXT NOT NULL, category INTEGER NOT NULL, subcategory TEXT, kind INTEGER NOT NULL,
	importance REAL NOT NULL, confidence REAL NOT NULL,
	valid_from INTEGER, valid_to INTEGER,   -- [from, to)
	superseded_by BLOB,                     -- ulid of the fact that ended it
	summarized BLOB                         -- ulid of the consolidation that stands for it
) STRICT;
CREATE INDEX fact_key ON fact (id >> 44, key) WHERE key IS NOT NULL;
CREATE INDEX fact_superseded ON fact (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX fact_summarized ON fact (summarized) WHERE summarized IS NOT NULL;

-- What a record rests on: bytes of a message, or another record.
CREATE TABLE record_source (
	record INTEGER NOT NULL REFERENCES record (id),
	no INTEGER NOT NULL,
	of ANY NOT NULL,                        -- blob: ulid; text: an id of elsewhere
	start INTEGER NOT NULL, length INTEGER NOT NULL,       -- bytes of its content; length 0: all of it
	PRIMARY KEY (record, no)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_source_of ON record_source (of);

-- id = user << 44 | number.
CREATE TABLE step (
	id INTEGER PRIMARY KEY,
	time INTEGER NOT NULL,
	did INTEGER NOT NULL,
	agent INTEGER,
	why TEXT,
	undone INTEGER                          -- the step that took it back
) STRICT;

CREATE TABLE step_change (
	record INTEGER NOT NULL,
	step INTEGER NOT NULL,
	existed INTEGER NOT NULL,               -- 0: the step stored it; 1: its rows before the step are in *_was
	PRIMARY KEY (record, step)
) STRICT, WITHOUT ROWID;
CREATE INDEX step_change_step ON step_change (step);

CREATE TABLE record_was (
	step INTEGER NOT NULL, id INTEGER NOT NULL,
	type INTEGER NOT NULL, ulid BLOB NOT NULL, source TEXT, agent INTEGER, project INTEGER, session TEXT, time INTEGER, stored INTEGER NOT NULL,
	origin INTEGER NOT NULL, trust INTEGER NOT NULL, size INTEGER NOT NULL, sha256 BLOB NOT NULL, content TEXT NOT NULL, tags TEXT, extra TEXT,
	protected INTEGER NOT NULL, retracted INTEGER, sort INTEGER, first INTEGER, last INTEGER, model TEXT, structured TEXT,
	PRIMARY KEY (id, step)
) STRICT, WITHOUT ROWID;
CREATE TABLE fact_was (
	step INTEGER NOT NULL, id INTEGER NOT NULL,
	key TEXT, bank TEXT NOT NULL, category INTEGER NOT NULL, subcategory TEXT, kind INTEGER NOT NULL, importance REAL NOT NULL, confidence REAL NOT NULL,
	valid_from INTEGER, valid_to INTEGER, superseded_by BLOB, summarized BLOB,
	PRIMARY KEY (id, step)
) STRICT, WITHOUT ROWID;
CREATE TABLE record_source_was (
	step INTEGER NOT NULL, record INTEGER NOT NULL, no INTEGER NOT NULL, of ANY NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
	PRIMARY KEY (record, step, no)
) STRICT, WITHOUT ROWID;

-- Not part of any step, as looking is no change.
CREATE TABLE record_access (
	id INTEGER PRIMARY KEY,
	accessed INTEGER NOT NULL, accesses INTEGER NOT NULL
) STRICT;
