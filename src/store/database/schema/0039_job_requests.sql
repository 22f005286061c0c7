-- Maintenance jobs that an operator asks the running server for, such as the order of a certificate.
-- `taken_at` is set when the server begins; a recorded run deletes the row.
CREATE TABLE job_requests (
  job TEXT PRIMARY KEY,
  requested_at TEXT NOT NULL,
  taken_at TEXT
) STRICT, WITHOUT ROWID;
