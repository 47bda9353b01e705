-- The store, version 8: what a message is known by, session first. Those of one session are written side by side: a batch of 1,000 chat lines changed 490 pages of the
-- database with the id first, whose index it entered everywhere, and 200 so.

DROP INDEX message_source;
CREATE UNIQUE INDEX message_source ON message (session, source);
