-- The store, version 14: with the row of a search, what it handed out and what it left out.

-- Numbers only, of records that are there (lib/store/accounts/handed.c); NULL: not known.
ALTER TABLE metric ADD COLUMN handed BLOB;
