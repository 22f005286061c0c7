-- Quotes and contact messages: requests, keyed by a `seq` that is unique across both tables.
-- `new_reference_key` and `installation_mark` are functions of the program
-- (`store::database::schema`).

-- The key of the permutation from numbers to references (`domain::request::reference`): it never
-- changes.
CREATE TABLE reference_key (key BLOB NOT NULL) STRICT;
INSERT INTO reference_key VALUES (new_reference_key());
INSERT INTO installation (id, mark) SELECT 1, installation_mark(key) FROM reference_key;

-- `reference` is unique and never reused. `extra_fields` is a JSON object of the form's fields
-- without a column of their own. `assignee` is a user's id. A request by phone may have an empty
-- `email`.
--
-- `answered_at` is when the customer was reached, and `emailed_at` when the first reply was
-- delivered: a customer who wants a call is answered only by a call that reaches them.
-- `failed_reply` is the event of a reply that could not be delivered, until the customer is
-- reached in another way. `unanswered` is the event of the oldest message of the customer that was
-- not answered; it counts once the request was answered a first time. `unread`: there is a message
-- that nobody has opened.
--
-- A request leaves "Needs attention" until `follow_up_at`; then the server sets `follow_up_due`.
-- `follow_up_by` is a user's id.
--
-- `held` is a JSON array of the reasons why the request is held as spam, `signals` that of the
-- signals of a request that is not held, or was released. `held_at` is when an admin marked it as
-- spam, from which its deletion counts; null if the filter held it. A duplicate names the request
-- (its `seq`) into which it was merged; it is `held` as well, so that what leaves out held
-- requests leaves it out.
--
-- The outcome of a closed request is `won`, `lost` or `not_customer`; its value is in cents, for a
-- month (`month`) or in all (`total`).
--
-- SQLite creates a temporary table for each list of three or more values in a CHECK of a column
-- that a post writes: such a check lists its values in pairs.
CREATE TABLE quotes (
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
  status TEXT NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'in_progress') OR status IN ('completed', 'cancelled')),
  emergency_contact INTEGER NOT NULL CHECK (emergency_contact IN (0, 1)),
  attribution TEXT,
  assignee TEXT,
  answered_at TEXT,
  held TEXT,
  demo INTEGER NOT NULL DEFAULT 0 CHECK (demo IN (0, 1)),
  failed_reply INTEGER,
  emailed_at TEXT,
  signals TEXT,
  follow_up_at TEXT,
  follow_up_by TEXT,
  follow_up_due INTEGER NOT NULL DEFAULT 0 CHECK (follow_up_due IN (0, 1)),
  outcome TEXT,
  outcome_reason TEXT,
  outcome_words TEXT,
  outcome_cents INTEGER,
  outcome_per TEXT,
  source TEXT NOT NULL DEFAULT 'web' CHECK (source IN ('web', 'phone')),
  held_at TEXT,
  merged_into INTEGER,
  unanswered INTEGER,
  unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1))
) STRICT;

-- As `quotes`, without what only quotes have.
CREATE TABLE contact_messages (
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
  status TEXT NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'in_progress') OR status IN ('completed', 'cancelled')),
  attribution TEXT,
  assignee TEXT,
  answered_at TEXT,
  held TEXT,
  demo INTEGER NOT NULL DEFAULT 0 CHECK (demo IN (0, 1)),
  failed_reply INTEGER,
  emailed_at TEXT,
  signals TEXT,
  follow_up_at TEXT,
  follow_up_by TEXT,
  follow_up_due INTEGER NOT NULL DEFAULT 0 CHECK (follow_up_due IN (0, 1)),
  outcome TEXT,
  outcome_reason TEXT,
  outcome_words TEXT,
  outcome_cents INTEGER,
  outcome_per TEXT,
  held_at TEXT,
  merged_into INTEGER,
  unanswered INTEGER,
  unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1))
) STRICT;

-- The `seq` of requests whose id does not encode it (`domain::ids::seq_of_id`).
CREATE TABLE old_request_ids (id TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- The requests that are held as spam, few among many: no other request is in these indexes.
CREATE INDEX quotes_held ON quotes (seq) WHERE held IS NOT NULL;
CREATE INDEX messages_held ON contact_messages (seq) WHERE held IS NOT NULL;

-- Requests whose reminder is not due yet.
CREATE INDEX quotes_waiting ON quotes (follow_up_at)
  WHERE follow_up_at IS NOT NULL AND follow_up_due = 0;
CREATE INDEX messages_waiting ON contact_messages (follow_up_at)
  WHERE follow_up_at IS NOT NULL AND follow_up_due = 0;

-- Duplicates.
CREATE INDEX quotes_merged ON quotes (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX messages_merged ON contact_messages (merged_into) WHERE merged_into IS NOT NULL;

-- Requests with a message that was not answered.
CREATE INDEX quotes_unanswered ON quotes (unanswered) WHERE unanswered IS NOT NULL;
CREATE INDEX messages_unanswered ON contact_messages (unanswered) WHERE unanswered IS NOT NULL;

-- How many requests there are of each combination, maintained by triggers. `held` is 2 for a
-- duplicate, `answered` is 1 for requests that need no attention. The row of the kind `number` is
-- the number of requests ever stored, from which the next reference is made: in this table, it
-- adds no page to a commit.
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
INSERT INTO request_counts VALUES ('number', '', 0, 0, 0, '', '', 0);

CREATE TRIGGER quotes_counted AFTER INSERT ON quotes BEGIN
  INSERT INTO request_counts VALUES ('quote', new.status,
      (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL)
        AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0
          OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

CREATE TRIGGER quotes_uncounted AFTER DELETE ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status
      AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL)
        AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0
          OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = old.emergency_contact AND service = old.service_type
      AND assignee = coalesce(old.assignee, '');
END;

CREATE TRIGGER quotes_recounted AFTER UPDATE OF
  status, held, merged_into, answered_at, failed_reply, follow_up_at, follow_up_due, unanswered,
  unread, assignee
ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status
      AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL)
        AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0
          OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = old.emergency_contact AND service = old.service_type
      AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('quote', new.status,
      (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL)
        AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0
          OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

CREATE TRIGGER messages_counted AFTER INSERT ON contact_messages BEGIN
  INSERT INTO request_counts VALUES ('message', new.status,
      (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL)
        AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0
          OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

CREATE TRIGGER messages_uncounted AFTER DELETE ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status
      AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL)
        AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0
          OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
END;

CREATE TRIGGER messages_recounted AFTER UPDATE OF
  status, held, merged_into, answered_at, failed_reply, follow_up_at, follow_up_due, unanswered,
  unread, assignee
ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status
      AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL)
        AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0
          OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('message', new.status,
      (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL)
        AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0
          OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
