-- The store, version 12: what is needed so that a memory can leave, and come together with another one of the same person. All of it is base.

-- The name of a step, the same in every store that has it. Steps are in order of their time, then of this: a step that came from another store may have a later number and an earlier time.
CREATE TABLE step_id (
	step INTEGER PRIMARY KEY,
	ulid BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX step_id_ulid ON step_id (step >> 44, ulid);
CREATE INDEX step_time ON step (id >> 44, time);
CREATE INDEX step_undone ON step (undone) WHERE undone IS NOT NULL;
CREATE INDEX record_was_ulid ON record_was (ulid);

-- Turns that stand elsewhere than where they stood in the store that they come from, and where that was: in a session to which both have added.
CREATE TABLE message_turn (
	row INTEGER PRIMARY KEY,
	turn INTEGER NOT NULL
) STRICT;
