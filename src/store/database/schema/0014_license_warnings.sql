-- Warnings of expiring licenses that were queued: by state, last valid day and the step in days.
CREATE TABLE license_warnings (
  state TEXT NOT NULL,
  expires TEXT NOT NULL,
  step INTEGER NOT NULL,
  queued_at TEXT NOT NULL,
  PRIMARY KEY (state, expires, step)
) STRICT, WITHOUT ROWID;
