-- Accepted submissions of forms, for rate limits and repeated ones.

-- Each has two entries, which are in the same page mostly. One numbers it among those of its
-- client (`#000000000001`), for the rate window; one is its idempotency key, or without one its
-- fingerprint (`=…`), and has its receipt. `client` is a keyed hash of an address. An
-- IPv6 /48, whose clients share a limit of their own, is a client, too. Times are in milliseconds;
-- a row is kept until `until`, a day or more.
CREATE TABLE submissions (
  form TEXT NOT NULL,
  client TEXT NOT NULL,
  entry TEXT NOT NULL,
  at INTEGER NOT NULL,
  until INTEGER NOT NULL,
  subject_id TEXT NOT NULL,
  fingerprint TEXT,
  reference TEXT,
  PRIMARY KEY (form, client, entry, at)
) STRICT, WITHOUT ROWID;
