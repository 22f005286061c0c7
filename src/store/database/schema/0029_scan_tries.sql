-- Contents for which the virus scanner gave no verdict: how often, and when the next try is due, in
-- milliseconds.
CREATE TABLE scan_tries (
  sha256 TEXT PRIMARY KEY,
  tries INTEGER NOT NULL,
  next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
