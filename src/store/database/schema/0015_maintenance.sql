-- The last run of each maintenance job (backup, proof of the backup, retention): `detail` is its result
-- or its error, `told_at` when the office was last told that it fails.
CREATE TABLE maintenance (
  job TEXT PRIMARY KEY,
  ran_at TEXT NOT NULL,
  ok INTEGER NOT NULL CHECK (ok IN (0, 1)),
  succeeded_at TEXT,
  seconds REAL NOT NULL,
  detail TEXT NOT NULL,
  told_at TEXT
) STRICT, WITHOUT ROWID;

-- Set on an email that a restored backup holds as due: it may have been sent after the backup was made.
-- Its state is `failed`, so that no worker claims it, until an operator releases it.
ALTER TABLE outbox ADD COLUMN held_at TEXT;
