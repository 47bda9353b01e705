-- The store (PRAGMA user_version: STORE_VERSION of lib/store/sql/handle.h). See mem-check(1) for
-- what is base and what is derived.
--
-- A row number means something: user << 44 | session << 20 | turn. Session and neighbours of a
-- message are arithmetic, and every statement on a user's rows carries the range [user << 44, (user
-- + 1) << 44): the wall.

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

-- id = user << 24 | number of the session within the user. A session that outgrows 2^20 turns goes
-- on in the next part.
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
	told INTEGER,                           -- when title, prompt and metadata were last set: of two the later stand
	UNIQUE (user, name, part)
) STRICT;
-- By the newest message, else by their making; those without either first. mem-list reads them in
-- this order, a page at a time, however many there are.
CREATE INDEX session_time ON session (user, coalesce(updated, created, -9223372036854775808));

-- id = session << 20 | turn. source: the id it had where it came from (text), else a hash of place
-- and content (blob).
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
-- What a message is known by, session first: those of one session are written side by side. A batch
-- of 1,000 chat lines changed 490 pages with the source first, whose index it entered everywhere,
-- and 200 so.
CREATE UNIQUE INDEX message_source ON message (session, source);

-- Turns that stand elsewhere than where they stood in the store that they come from, and where that
-- was: in a session to which both have added.
CREATE TABLE message_turn (
	row INTEGER PRIMARY KEY,
	turn INTEGER NOT NULL
) STRICT;

-- Ids that messages have in stores which read the same transcript for themselves: of two the
-- smaller becomes the message's.
CREATE TABLE message_alias (
	ulid BLOB PRIMARY KEY,
	row INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX message_alias_row ON message_alias (row);

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

-- 120 cards a page (lib/index/turn_features_pages.h). id = first row of the session + number of the
-- page.
CREATE TABLE card (id INTEGER PRIMARY KEY, cards BLOB NOT NULL) STRICT;

-- Inverted lists (lib/index/postings.h): segments of a user, their pages, the first term of each
-- leaf.
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
	flags TEXT NOT NULL,
	-- what a search handed out and what it left out: numbers only, of records that are there
	-- (lib/store/accounts/handed.c); NULL: not known
	handed BLOB
) STRICT;
CREATE INDEX metric_time ON metric (user, time);

-- Which turns read or change a file, run a program, or tell of an error (lib/store/write/work.c).
-- id = first row of the session + number of the page, each of 256 turns.
CREATE TABLE work (id INTEGER PRIMARY KEY, items BLOB NOT NULL) STRICT;

CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- ---- vectors: derived, as the texts can be embedded again ----
--
-- A vector belongs to a record (kind and row, as in lib/store/vectors.h) and one of its chunks
-- (part). A set is all vectors of one model; a slot is a vector's number within its set and user,
-- 0, 1, 2 ... in the order they were made. Both kinds of page hold the same slots, so a slot is
-- found by arithmetic.

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

-- Records of a box (row >> 20; of messages: a session) below done have their vectors, but those in
-- vector_todo.
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

-- Vectors of a large memory sorted by what they are near to, so that a search reads a few cells and
-- not all codes. Derived from vector_byte and vector_code. Layout: lib/store/vectors/cells.h.

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

-- ---- calls of models ----
-- guard is derived, and mem-check --repair empties it; ledger is base: nothing could make it again.

-- Services that failed of late, of all users. Layout of failed: lib/store/accounts/guard.c.
CREATE TABLE guard (
	service TEXT PRIMARY KEY,               -- kind, model, and a hash of the command and its address
	failed BLOB NOT NULL,                   -- when: the last five times
	opened INTEGER,                         -- microseconds; since then no calls; NULL: calls go out
	probe INTEGER,                          -- when somebody began to try it; NULL: nobody does
	lease INTEGER NOT NULL DEFAULT 0,       -- microseconds that the try may take
	opens INTEGER NOT NULL DEFAULT 0        -- times it was opened
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger (
	user INTEGER NOT NULL,
	day INTEGER NOT NULL,                   -- since 1970, UTC
	program TEXT NOT NULL, model TEXT NOT NULL,
	calls INTEGER NOT NULL, failed INTEGER NOT NULL,
	stopped INTEGER NOT NULL,               -- calls not made, by the guard or the budget
	tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL,
	micros INTEGER NOT NULL,                -- money, in millionths
	PRIMARY KEY (user, day, program, model)
) STRICT, WITHOUT ROWID;

-- ---- what is known beside what was said ----
-- Facts, summaries and reflections are base, and so is the log of the steps that made them what
-- they are.
--
-- A record's row number is user << 44 | number; the numbers go up in the order of storing and are
-- never used again. Every change of a record belongs to a step, and before a step's first change of
-- a record its rows are copied, with the step's number, into the tables *_was. So a step is taken
-- back exactly, and what was known at a time can be read.

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
CREATE INDEX step_time ON step (id >> 44, time);
CREATE INDEX step_undone ON step (undone) WHERE undone IS NOT NULL;

-- The name of a step, the same in every store that has it. Steps are in order of their time, then
-- of this: a step that came from another store may have a later number and an earlier time.
CREATE TABLE step_id (
	step INTEGER PRIMARY KEY,
	ulid BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX step_id_ulid ON step_id (step >> 44, ulid);

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
CREATE INDEX record_was_ulid ON record_was (ulid);
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
CREATE INDEX record_source_was_of ON record_source_was (of);

-- Not part of any step, as looking is no change.
CREATE TABLE record_access (
	id INTEGER PRIMARY KEY,
	accessed INTEGER NOT NULL, accesses INTEGER NOT NULL,
	change INTEGER                          -- with which it was looked at last
) STRICT;

-- ---- subcategories of the five roots, and which records are in them ----
-- Derived, but for their ids and names: mem-cluster would find others.

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

-- ---- when a job last ran, and what users wrote about themselves, used only with their consent ----

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

-- ---- what is gone, and what is new for other stores: base ----
-- What was pruned and is not to come back when its transcript is read again. No content: a key is
-- 16 bytes of the SHA-256 of what a message is known by (its session, and its id there or the hash
-- of its place and content), or of a session's name.
CREATE TABLE tombstone (
	user INTEGER NOT NULL,
	key BLOB NOT NULL,
	PRIMARY KEY (user, key)
) STRICT, WITHOUT ROWID;

-- What came to be known here, in this order, each time that something did. No content: numbers of
-- what is there, or was.
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
