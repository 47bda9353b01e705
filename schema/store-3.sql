-- The store, version 3: calls of models. guard is derived, and mem-check --repair empties it; ledger is base: nothing could make it again.

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
