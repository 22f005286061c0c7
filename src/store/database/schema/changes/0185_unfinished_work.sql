-- Work that has begun and whose end is not recorded. `tries` counts how often it began, and
-- `running` is 1 while this server works on it. A row with `running` 0 is of work during which the
-- process, or the process that it started for it, ended. Rows of `outbox` and of received emails
-- counted this in columns of their own.
CREATE TABLE unfinished_work (
  kind TEXT NOT NULL,
  item TEXT NOT NULL,
  tries INTEGER NOT NULL,
  running INTEGER NOT NULL CHECK (running IN (0, 1)),
  began_at TEXT NOT NULL,
  PRIMARY KEY (kind, item)
) STRICT, WITHOUT ROWID;
ALTER TABLE outbox DROP COLUMN unfinished;
ALTER TABLE received_emails DROP COLUMN tries;
