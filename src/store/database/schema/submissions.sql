-- Accepted submissions of forms, for rate limits and repeated ones.

-- For the rate window of a client, and for the receipt of a repeated submission. `client` is a
-- keyed hash of an address, `site` that of its IPv6 /48, whose clients share a limit of their own;
-- `at` is in milliseconds, `key` the idempotency key of the form, if any. They are found by hashes
-- in memory (`store::submissions::index`).
CREATE TABLE submissions (
  form TEXT NOT NULL,
  client TEXT NOT NULL,
  at INTEGER NOT NULL,
  key TEXT,
  fingerprint TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  reference TEXT NOT NULL DEFAULT '',
  site TEXT
) STRICT;
