-- One table for what is remembered of a submission, in place of two: a post is stored with fewer rows and indexes.

-- Accepted submissions: how many came from a client within the rate window, and what was answered to each, so that the same one sent again is answered
-- again and not stored again. `client` is a keyed hash of an address, `at` milliseconds, `key` the one that the form made, if it could.
CREATE TABLE accepted (
  form TEXT NOT NULL,
  client TEXT NOT NULL,
  at INTEGER NOT NULL,
  key TEXT,
  fingerprint TEXT NOT NULL,
  subject_id TEXT NOT NULL
) STRICT;
INSERT INTO accepted SELECT form, '', at, key, fingerprint, subject_id FROM submissions ORDER BY at;
INSERT INTO accepted SELECT form, client, at, NULL, '', '' FROM form_window ORDER BY at;
DROP TABLE submissions;
DROP TABLE form_window;
ALTER TABLE accepted RENAME TO submissions;
CREATE UNIQUE INDEX submissions_by_key ON submissions (form, key) WHERE key IS NOT NULL;
CREATE INDEX submissions_by_client ON submissions (form, client, at);

-- Nothing looks for a letter by what it is about.
DROP INDEX outbox_by_subject;
