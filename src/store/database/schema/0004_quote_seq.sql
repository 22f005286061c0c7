-- Quotes get an explicit `seq` and fewer indexes: each one touched adds a page to every commit.

-- `seq` is the order of every list: the millisecond of `created_at` times 16, and the next numbers for
-- quotes of the same millisecond (`store::inbox::quotes`). So the table itself is the list of quotes by time;
-- the index by status holds only the status and `seq`.
CREATE TABLE quotes_by_seq (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT NOT NULL,
  company TEXT,
  service_type TEXT NOT NULL,
  duration TEXT NOT NULL,
  start_date TEXT NOT NULL,
  location TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'in_progress', 'completed', 'cancelled')),
  emergency_contact INTEGER NOT NULL CHECK (emergency_contact IN (0, 1)),
  attribution TEXT,
  demo INTEGER NOT NULL DEFAULT 0 CHECK (demo IN (0, 1))
) STRICT;
INSERT INTO quotes_by_seq
  SELECT turn + max(first - turn) OVER (ORDER BY turn), id, created_at, updated_at, first_name, last_name, email, phone, company, service_type, duration, start_date, location, description, status,
         emergency_contact, attribution, demo
  FROM (SELECT *, row_number() OVER (ORDER BY created_at, seq) AS turn,
               (CAST(strftime('%s', created_at) AS INTEGER) * 1000 + CAST(substr(created_at, 21, 3) AS INTEGER)) * 16 AS first
        FROM quotes)
  ORDER BY 1;
DROP TABLE quotes;
ALTER TABLE quotes_by_seq RENAME TO quotes;
CREATE INDEX quotes_by_status ON quotes (status);
CREATE TRIGGER quotes_counted AFTER INSERT ON quotes BEGIN
  UPDATE quote_counts SET quotes = quotes + 1 WHERE status = new.status;
END;
CREATE TRIGGER quotes_recounted AFTER UPDATE OF status ON quotes WHEN old.status <> new.status BEGIN
  UPDATE quote_counts SET quotes = quotes - 1 WHERE status = old.status;
  UPDATE quote_counts SET quotes = quotes + 1 WHERE status = new.status;
END;
CREATE TRIGGER quotes_uncounted AFTER DELETE ON quotes BEGIN
  UPDATE quote_counts SET quotes = quotes - 1 WHERE status = old.status;
END;

-- Keyed by `seq`; the server fills it again (`store::search::index::index_pending`).
DROP TABLE quote_words;
CREATE VIRTUAL TABLE quote_words USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2');

-- Accepted submissions, in one table instead of two: for the rate window of a client, and for the
-- receipt of a repeated submission. `client` is a keyed hash of an address, `at` milliseconds, `key` the
-- idempotency key of the form, if any.
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

-- Emails are not searched by subject.
DROP INDEX outbox_by_subject;
