-- The store, version 7: what was pruned and is not to come back when its transcript is read again. No content: a key is 16 bytes of the SHA-256 of
-- what a message is known by (its session, and its id there or the hash of its place and content), or of a session's name.
CREATE TABLE tombstone (
	user INTEGER NOT NULL,
	key BLOB NOT NULL,
	PRIMARY KEY (user, key)
) STRICT, WITHOUT ROWID;
