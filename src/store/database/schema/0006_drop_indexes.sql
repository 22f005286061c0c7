-- Drops two B-trees from every insert: a quote's id encodes its `seq`, and email ids are numeric. SQLite
-- creates a temporary table for each list of three or more values in a CHECK, so the checks list their
-- values in pairs.

-- The `seq` of quotes whose id does not encode it (`domain::ids::seq_of_id`).
CREATE TABLE old_quote_ids (id TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO old_quote_ids SELECT id, seq FROM quotes;

CREATE TABLE quotes_by_place (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
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
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'in_progress') OR status IN ('completed', 'cancelled')),
  emergency_contact INTEGER NOT NULL CHECK (emergency_contact IN (0, 1)),
  attribution TEXT,
  demo INTEGER NOT NULL DEFAULT 0 CHECK (demo IN (0, 1))
) STRICT;
INSERT INTO quotes_by_place SELECT * FROM quotes ORDER BY seq;
DROP TABLE quotes;
ALTER TABLE quotes_by_place RENAME TO quotes;
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

-- `id` is the millisecond of `created_at` times 16, or the number after the last: never reused, because
-- the Message-ID of an email is derived from it.
CREATE TABLE letters (
  id INTEGER PRIMARY KEY,
  created_at TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  notice TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent') OR state = 'failed'),
  due_at TEXT NOT NULL,
  lease TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  sent_at TEXT,
  late INTEGER NOT NULL DEFAULT 0 CHECK (late IN (0, 1))
) STRICT;
INSERT INTO letters
  SELECT turn + max(first - turn) OVER (ORDER BY turn), created_at, kind, subject_id, notice, state, due_at, lease, attempts, last_error, sent_at, late
  FROM (SELECT *, row_number() OVER (ORDER BY created_at, id) AS turn,
               (CAST(strftime('%s', created_at) AS INTEGER) * 1000 + CAST(substr(created_at, 21, 3) AS INTEGER)) * 16 AS first
        FROM outbox);
DROP TABLE outbox;
ALTER TABLE letters RENAME TO outbox;
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'due';
CREATE INDEX outbox_leased ON outbox (lease) WHERE lease IS NOT NULL;
CREATE INDEX outbox_failed ON outbox (id) WHERE state = 'failed';
