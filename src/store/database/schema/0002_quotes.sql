-- Quotes, contact messages, and the state of idempotency and rate limits.

-- `seq` is the order of arrival, never reused: it is the key of the search index below, whose pending
-- quotes are those with a higher `seq`.
CREATE TABLE quotes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
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

-- The quote list is read newest first, all or by status, a page at a time, in the order of an index.
CREATE INDEX quotes_by_time ON quotes (created_at, id);
CREATE INDEX quotes_by_status ON quotes (status, created_at, id);

-- The words of each quote (written by `store::search::index`). Without positions or a copy of the text:
-- a list of rows per word, read newest first.
CREATE VIRTUAL TABLE quote_words USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2');

-- Counts by status, maintained by triggers: counting a million rows takes longer than the rest of the
-- page.
CREATE TABLE quote_counts (status TEXT PRIMARY KEY, quotes INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO quote_counts VALUES ('pending', 0), ('in_progress', 0), ('completed', 0), ('cancelled', 0);
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

CREATE TABLE contact_messages (
  id TEXT PRIMARY KEY,
  created_at TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT NOT NULL,
  company TEXT,
  service TEXT NOT NULL,
  details TEXT NOT NULL,
  attribution TEXT
) STRICT;
CREATE INDEX contact_messages_by_time ON contact_messages (created_at, id);

-- Accepted submissions inside the rate window, in milliseconds; `client` is a keyed hash of an address.
CREATE TABLE form_window (form TEXT NOT NULL, client TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE INDEX form_window_by_client ON form_window (form, client, at);
CREATE INDEX form_window_by_time ON form_window (at);

-- The receipt of each submission, so that a repeated one returns it and is not stored again.
CREATE TABLE submissions (
  form TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (form, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX submissions_by_time ON submissions (at);

-- Clicks on phone links by day and page, without data about the visitor.
CREATE TABLE taps (day TEXT NOT NULL, page TEXT NOT NULL, taps INTEGER NOT NULL, PRIMARY KEY (day, page)) STRICT, WITHOUT ROWID;
