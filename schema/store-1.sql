-- The store, version 1 (PRAGMA user_version). See mem-check(1) for what is base and what is derived.
--
-- A row number means something: user << 44 | session << 20 | turn. Session and neighbours of a message are arithmetic, and every
-- statement on a user's rows carries the range [user << 44, (user + 1) << 44): the wall.

-- ---- base: never rebuilt, never changed ----
CREATE TABLE user (
	no INTEGER PRIMARY KEY CHECK (no BETWEEN 1 AND 524287),
	name TEXT NOT NULL UNIQUE
) STRICT;

-- Names that repeat (speakers, agents, projects) as small numbers of their user.
CREATE TABLE label (
	user INTEGER NOT NULL REFERENCES user (no),
	kind INTEGER NOT NULL,              -- 1 speaker, 2 agent, 3 project
	no INTEGER NOT NULL CHECK (no >= 1),
	text TEXT NOT NULL,
	word BLOB NOT NULL,                 -- its first word as the tokenizer gives it: a question's word finds the speakers it names
	PRIMARY KEY (user, kind, no),
	UNIQUE (user, kind, text)
) STRICT, WITHOUT ROWID;
CREATE INDEX label_word ON label (user, kind, word);

-- id = user << 24 | number of the session within the user. A session that outgrows 2^20 turns goes on in the next part.
CREATE TABLE session (
	id INTEGER PRIMARY KEY,
	user INTEGER NOT NULL REFERENCES user (no),
	name TEXT NOT NULL,
	part INTEGER NOT NULL DEFAULT 0,
	title TEXT, system_prompt TEXT, metadata TEXT, agent INTEGER, project INTEGER,
	created INTEGER, updated INTEGER,
	turns INTEGER NOT NULL DEFAULT 0,       -- the next turn's number
	assistants INTEGER NOT NULL DEFAULT 0,  -- turns by an assistant
	speaker INTEGER NOT NULL DEFAULT 0,     -- the first named speaker
	speakers INTEGER NOT NULL DEFAULT 0,    -- 0, 1, 2: two or more named speakers
	UNIQUE (user, name, part)
) STRICT;

-- id = session << 20 | turn. source: the id it had where it came from (text), else a hash of place and content (blob).
CREATE TABLE message (
	id INTEGER PRIMARY KEY,
	session INTEGER NOT NULL REFERENCES session (id),
	ulid BLOB NOT NULL,
	source ANY NOT NULL,
	role INTEGER NOT NULL,
	speaker INTEGER, agent INTEGER, project INTEGER,
	time INTEGER, stored INTEGER NOT NULL,
	origin INTEGER NOT NULL, trust INTEGER NOT NULL,
	tokens INTEGER NOT NULL,
	chunks INTEGER,                         -- NULL: not cut yet; 1 with no row in chunk: one piece of prose
	sha256 BLOB NOT NULL,                   -- of content
	content TEXT NOT NULL,
	tool_calls TEXT, tool_call_id TEXT, extra TEXT
) STRICT;
CREATE UNIQUE INDEX message_ulid ON message (ulid);
CREATE UNIQUE INDEX message_source ON message (source, session);

-- Where reading of a growing file ended. When it is lost, the file is read again whole.
CREATE TABLE input (
	user INTEGER NOT NULL REFERENCES user (no),
	path TEXT NOT NULL,
	device INTEGER NOT NULL, inode INTEGER NOT NULL,
	offset INTEGER NOT NULL, line INTEGER NOT NULL,
	head BLOB NOT NULL, positional INTEGER NOT NULL, state TEXT,
	PRIMARY KEY (user, path)
) STRICT, WITHOUT ROWID;

-- ---- derived: mem-check --repair rebuilds it ----
CREATE TABLE chunk (
	message INTEGER NOT NULL,
	no INTEGER NOT NULL,
	kind INTEGER NOT NULL, language TEXT NOT NULL,
	start INTEGER NOT NULL, length INTEGER NOT NULL, tokens INTEGER NOT NULL,
	PRIMARY KEY (message, no)
) STRICT, WITHOUT ROWID;

-- 120 cards a page (lib/index/turn_features_pages.h). id = first row of the session + number of the page.
CREATE TABLE card (id INTEGER PRIMARY KEY, cards BLOB NOT NULL) STRICT;

-- Inverted lists (lib/index/postings.h): segments of a user, their pages, the first term of each leaf.
CREATE TABLE fts_segment (
	user INTEGER NOT NULL, no INTEGER NOT NULL,
	docs INTEGER NOT NULL, runs INTEGER NOT NULL, doc_pages INTEGER NOT NULL, pages INTEGER NOT NULL, words INTEGER NOT NULL,
	first INTEGER NOT NULL,                 -- id of its page 0
	PRIMARY KEY (user, no)
) STRICT, WITHOUT ROWID;
CREATE TABLE fts_page (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;   -- id = user << 44 | number
CREATE TABLE fts_leaf (
	user INTEGER NOT NULL, segment INTEGER NOT NULL, term BLOB NOT NULL, page INTEGER NOT NULL,
	PRIMARY KEY (user, segment, term)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric (
	id INTEGER PRIMARY KEY,
	user INTEGER NOT NULL,
	time INTEGER NOT NULL,
	program TEXT NOT NULL, path TEXT NOT NULL,
	query_hash INTEGER NOT NULL, query_bytes INTEGER NOT NULL, hits INTEGER NOT NULL, candidates INTEGER NOT NULL,
	top REAL NOT NULL,
	us_open INTEGER NOT NULL, us_text INTEGER NOT NULL, us_vectors INTEGER NOT NULL, us_rank INTEGER NOT NULL,
	us_fetch INTEGER NOT NULL, us_all INTEGER NOT NULL,
	flags TEXT NOT NULL
) STRICT;
CREATE INDEX metric_time ON metric (user, time);

CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
