-- Quotes and contact messages become requests: both are keyed by a `seq` that is unique across the two
-- tables, and have a status, a reference and what the desk adds. `new_reference_key`, `reference` are
-- functions of the program (`store::database::schema`).

-- The key of the permutation from numbers to references (`domain::request::reference`): it
-- never changes.
CREATE TABLE reference_key (key BLOB NOT NULL) STRICT;
INSERT INTO reference_key VALUES (new_reference_key());

-- `reference` is unique and never reused. `extra_fields` is a JSON object of the form's fields without a
-- column of their own. `assignee` is a user's id. `answered_at` is when the customer was reached.
-- `held` is a JSON array of the reasons why the request is held as spam.
CREATE TABLE quotes_as_requests (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  reference TEXT NOT NULL,
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
  extra_fields TEXT,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'in_progress') OR status IN ('completed', 'cancelled')),
  emergency_contact INTEGER NOT NULL CHECK (emergency_contact IN (0, 1)),
  attribution TEXT,
  assignee TEXT,
  answered_at TEXT,
  held TEXT,
  demo INTEGER NOT NULL DEFAULT 0 CHECK (demo IN (0, 1))
) STRICT;
INSERT INTO quotes_as_requests
  SELECT seq, id, reference(row_number() OVER (ORDER BY seq), key), created_at, updated_at, first_name, last_name, email, phone, company,
         service_type, duration, start_date, location, description, NULL, status, emergency_contact, attribution, NULL, NULL, NULL, demo
  FROM quotes, reference_key ORDER BY seq;

-- The first free `seq` at or after the millisecond of each message, in the order of their arrival.
CREATE TABLE message_turns (turn INTEGER PRIMARY KEY, message INTEGER NOT NULL, first INTEGER NOT NULL);
INSERT INTO message_turns
  SELECT row_number() OVER (ORDER BY created_at, id), rowid,
         (CAST(strftime('%s', created_at) AS INTEGER) * 1000 + CAST(substr(created_at, 21, 3) AS INTEGER)) * 16
  FROM contact_messages;
CREATE TABLE message_seqs (turn INTEGER PRIMARY KEY, seq INTEGER NOT NULL);
INSERT INTO message_seqs
  WITH RECURSIVE walk (turn, seq, free) AS (
    SELECT turn, first, NOT EXISTS (SELECT 1 FROM quotes WHERE seq = first) FROM message_turns WHERE turn = 1
    UNION ALL
    SELECT next.turn, max(walk.seq + 1, next.first), NOT EXISTS (SELECT 1 FROM quotes WHERE quotes.seq = max(walk.seq + 1, next.first))
    FROM walk JOIN message_turns AS next ON next.turn = walk.turn + walk.free
  )
  SELECT turn, seq FROM walk WHERE free;
CREATE TABLE messages_as_requests (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  reference TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT NOT NULL,
  company TEXT,
  service TEXT NOT NULL,
  details TEXT NOT NULL,
  extra_fields TEXT,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'in_progress') OR status IN ('completed', 'cancelled')),
  attribution TEXT,
  assignee TEXT,
  answered_at TEXT,
  held TEXT,
  demo INTEGER NOT NULL DEFAULT 0 CHECK (demo IN (0, 1))
) STRICT;
INSERT INTO messages_as_requests
  SELECT seq, id, reference(turn + (SELECT count(*) FROM quotes), key), created_at, created_at, first_name, last_name, email, phone, company,
         service, details, NULL, 'pending', attribution, NULL, NULL, NULL, 0
  FROM message_seqs JOIN message_turns USING (turn) JOIN contact_messages ON contact_messages.rowid = message, reference_key
  ORDER BY seq;
DROP TABLE message_turns;
DROP TABLE message_seqs;

-- The `seq` of requests whose id does not encode it.
ALTER TABLE old_quote_ids RENAME TO old_request_ids;
INSERT INTO old_request_ids SELECT id, seq FROM messages_as_requests ORDER BY id;

DROP TABLE quotes;
DROP TABLE contact_messages;
ALTER TABLE quotes_as_requests RENAME TO quotes;
ALTER TABLE messages_as_requests RENAME TO contact_messages;
CREATE INDEX quotes_by_status ON quotes (status);

-- The reference is part of the receipt that a repeated submission returns.
ALTER TABLE submissions ADD COLUMN reference TEXT NOT NULL DEFAULT '';
UPDATE submissions SET reference = coalesce(
  (SELECT reference FROM quotes WHERE seq BETWEEN at * 16 AND at * 16 + 1000 AND id = subject_id),
  (SELECT reference FROM contact_messages WHERE seq BETWEEN at * 16 AND at * 16 + 1000 AND id = subject_id), '');

-- How many requests there are of each combination, maintained by triggers. The row of the kind `number`
-- is the number of requests ever stored, from which the next reference is made: in this table, it adds no
-- page to a commit.
CREATE TABLE request_counts (
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  held INTEGER NOT NULL,
  answered INTEGER NOT NULL,
  emergency INTEGER NOT NULL,
  service TEXT NOT NULL,
  assignee TEXT NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (kind, status, held, answered, emergency, service, assignee)
) STRICT, WITHOUT ROWID;
INSERT INTO request_counts SELECT 'number', '', 0, 0, 0, '', '', (SELECT count(*) FROM quotes) + (SELECT count(*) FROM contact_messages);
INSERT INTO request_counts SELECT 'quote', status, 0, 0, emergency_contact, service_type, '', count(*) FROM quotes GROUP BY status, emergency_contact, service_type;
INSERT INTO request_counts SELECT 'message', status, 0, 0, 0, service, '', count(*) FROM contact_messages GROUP BY status, service;
DROP TABLE quote_counts;

CREATE TRIGGER quotes_counted AFTER INSERT ON quotes BEGIN
  INSERT INTO request_counts VALUES ('quote', new.status, new.held IS NOT NULL, new.answered_at IS NOT NULL, new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER quotes_uncounted AFTER DELETE ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status AND held = (old.held IS NOT NULL) AND answered = (old.answered_at IS NOT NULL)
      AND emergency = old.emergency_contact AND service = old.service_type AND assignee = coalesce(old.assignee, '');
END;
CREATE TRIGGER quotes_recounted AFTER UPDATE OF status, held, answered_at, assignee ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status AND held = (old.held IS NOT NULL) AND answered = (old.answered_at IS NOT NULL)
      AND emergency = old.emergency_contact AND service = old.service_type AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('quote', new.status, new.held IS NOT NULL, new.answered_at IS NOT NULL, new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER messages_counted AFTER INSERT ON contact_messages BEGIN
  INSERT INTO request_counts VALUES ('message', new.status, new.held IS NOT NULL, new.answered_at IS NOT NULL, 0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER messages_uncounted AFTER DELETE ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status AND held = (old.held IS NOT NULL) AND answered = (old.answered_at IS NOT NULL)
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
END;
CREATE TRIGGER messages_recounted AFTER UPDATE OF status, held, answered_at, assignee ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status AND held = (old.held IS NOT NULL) AND answered = (old.answered_at IS NOT NULL)
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('message', new.status, new.held IS NOT NULL, new.answered_at IS NOT NULL, 0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

-- The words of each request, keyed by its `seq`; the server fills it again
-- (`store::search::index::index_pending`).
DROP TABLE quote_words_each;
DROP TABLE quote_words;
CREATE VIRTUAL TABLE request_words USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE request_words_each USING fts5vocab (request_words, instance);

-- What happened to a request after it was received, written in the transaction of each change. `id` is the
-- millisecond times 16, or the number after the last. `actor` is a user's id, null for the server itself;
-- `detail` is a JSON object (`domain::request::event`). `bulk` is the same in all events of one
-- bulk change.
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('quote', 'message')),
  at TEXT NOT NULL,
  actor TEXT,
  verb TEXT NOT NULL,
  detail TEXT NOT NULL,
  bulk INTEGER
) STRICT;
CREATE INDEX events_by_request ON events (seq);
CREATE INDEX events_by_bulk ON events (bulk) WHERE bulk IS NOT NULL;

-- Named filters of the inbox: `query` is the query string of the address. A shared one is listed for all.
CREATE TABLE inbox_filters (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
  created_at TEXT NOT NULL,
  UNIQUE (owner, name)
) STRICT, WITHOUT ROWID;
