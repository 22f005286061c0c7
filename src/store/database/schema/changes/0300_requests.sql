-- Quotes and contact messages become one table. What they are described by is in `requests.sql`.

-- `kind` is `quote` or `message`. Only quotes have `location`, `start_date`, `duration` and
-- `emergency_contact`; the text of a message is its `description`. `source` is how it came: by a
-- form of the site, or typed by an admin during a call.
CREATE TABLE requests (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('quote', 'message')),
  id TEXT NOT NULL,
  reference TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'in_progress') OR status IN ('completed', 'cancelled')),
  source TEXT NOT NULL DEFAULT 'web' CHECK (source IN ('web', 'phone')),
  demo INTEGER NOT NULL DEFAULT 0 CHECK (demo IN (0, 1)),
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT NOT NULL,
  company TEXT,
  service TEXT NOT NULL,
  location TEXT,
  start_date TEXT,
  duration TEXT,
  emergency_contact INTEGER NOT NULL DEFAULT 0 CHECK (emergency_contact IN (0, 1)),
  description TEXT,
  extra_fields TEXT,
  attribution TEXT,
  assignee TEXT,
  answered_at TEXT,
  emailed_at TEXT,
  failed_reply INTEGER,
  unanswered INTEGER,
  unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1)),
  follow_up_at TEXT,
  follow_up_by TEXT,
  follow_up_due INTEGER NOT NULL DEFAULT 0 CHECK (follow_up_due IN (0, 1)),
  outcome TEXT,
  outcome_reason TEXT,
  outcome_words TEXT,
  outcome_cents INTEGER,
  outcome_per TEXT,
  held TEXT,
  held_at TEXT,
  signals TEXT,
  merged_into INTEGER,
  CHECK (kind = 'message' OR
    (location IS NOT NULL AND start_date IS NOT NULL AND duration IS NOT NULL))
) STRICT;

INSERT INTO requests (seq, kind, id, reference, created_at, updated_at, status, source, demo,
    first_name, last_name, email, phone, company, service, location, start_date, duration,
    emergency_contact, description, extra_fields, attribution, assignee, answered_at, emailed_at,
    failed_reply, unanswered, unread, follow_up_at, follow_up_by, follow_up_due, outcome,
    outcome_reason, outcome_words, outcome_cents, outcome_per, held, held_at, signals, merged_into)
  SELECT seq, 'quote', id, reference, created_at, updated_at, status, source, demo,
    first_name, last_name, email, phone, company, service_type, location, start_date, duration,
    emergency_contact, description, extra_fields, attribution, assignee, answered_at, emailed_at,
    failed_reply, unanswered, unread, follow_up_at, follow_up_by, follow_up_due, outcome,
    outcome_reason, outcome_words, outcome_cents, outcome_per, held, held_at, signals, merged_into
  FROM quotes
  UNION ALL SELECT seq, 'message', id, reference, created_at, updated_at, status, 'web', demo,
    first_name, last_name, email, phone, company, service, NULL, NULL, NULL,
    0, details, extra_fields, attribution, assignee, answered_at, emailed_at,
    failed_reply, unanswered, unread, follow_up_at, follow_up_by, follow_up_due, outcome,
    outcome_reason, outcome_words, outcome_cents, outcome_per, held, held_at, signals, merged_into
  FROM contact_messages
  ORDER BY seq;

-- With their indexes and triggers.
DROP TABLE quotes;
DROP TABLE contact_messages;

-- The records of the specification, of requests that are not held as spam.
CREATE VIEW quotes AS
  SELECT id, created_at, first_name, last_name, email, phone, company, service AS service_type,
    duration, start_date, location, description, status, emergency_contact
  FROM requests WHERE kind = 'quote' AND held IS NULL;
CREATE VIEW contact_messages AS
  SELECT id, created_at, first_name, last_name, email, phone, company, service,
    description AS details, status
  FROM requests WHERE kind = 'message' AND held IS NULL;

-- Requests that are held as spam, few among many.
CREATE INDEX requests_held ON requests (seq) WHERE held IS NOT NULL;
-- Requests whose reminder is not due yet.
CREATE INDEX requests_waiting ON requests (follow_up_at)
  WHERE follow_up_at IS NOT NULL AND follow_up_due = 0;
-- Duplicates.
CREATE INDEX requests_merged ON requests (merged_into) WHERE merged_into IS NOT NULL;
-- Requests with a message that was not answered.
CREATE INDEX requests_unanswered ON requests (unanswered) WHERE unanswered IS NOT NULL;

-- One scan finds the overdue requests of both kinds.
INSERT INTO escalations (scan, up_to)
  SELECT replace(scan, 'quotes', 'requests'), min(up_to, coalesce((SELECT up_to FROM escalations
    AS other WHERE other.scan = replace(escalations.scan, 'quotes', 'messages')), up_to))
  FROM escalations WHERE scan LIKE 'quotes %';
DELETE FROM escalations WHERE scan LIKE 'quotes %' OR scan LIKE 'messages %';

-- What belongs to a request ends with it. The keys of files begin with its id; '0' is the
-- character after '/'.
CREATE TRIGGER requests_removed AFTER DELETE ON requests BEGIN
  DELETE FROM request_drafts WHERE seq = old.seq;
  DELETE FROM received_emails WHERE seq = old.seq;
  DELETE FROM objects
    WHERE bucket_id IN ('quotes', 'mail') AND name > old.id || '/' AND name < old.id || '0';
  DELETE FROM resumable_uploads
    WHERE quote_id = old.id
      OR (bucket_id = 'quotes' AND name > old.id || '/' AND name < old.id || '0');
  DELETE FROM quote_uploads WHERE quote_id = old.id;
END;

CREATE TRIGGER requests_announced AFTER INSERT ON requests
WHEN new.demo = 0 AND new.held IS NULL AND EXISTS (SELECT 1 FROM webhook_endpoints) BEGIN
  INSERT INTO webhook_events (event, seq) VALUES ('request.created', new.seq);
END;

CREATE TRIGGER requests_change_announced AFTER UPDATE OF status, assignee, answered_at, held
ON requests WHEN new.demo = 0 AND EXISTS (SELECT 1 FROM webhook_endpoints) BEGIN
  INSERT INTO webhook_events (event, seq) SELECT 'request.created', new.seq
    WHERE old.held IS NOT NULL AND new.held IS NULL AND old.held_at IS NULL;
  INSERT INTO webhook_events (event, seq) SELECT 'request.answered', new.seq
    WHERE old.answered_at IS NULL AND new.answered_at IS NOT NULL;
  INSERT INTO webhook_events (event, seq) SELECT 'request.changed', new.seq
    WHERE old.status IS NOT new.status OR old.assignee IS NOT new.assignee;
END;

CREATE TRIGGER requests_counted AFTER INSERT ON requests BEGIN
  INSERT INTO request_counts VALUES (new.kind, new.status,
      (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL)
        AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0
            AND (new.source <> 'phone' OR new.answered_at IS NOT NULL)
          OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      new.emergency_contact, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

CREATE TRIGGER requests_uncounted AFTER DELETE ON requests BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = old.kind AND status = old.status
      AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL)
        AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0
            AND (old.source <> 'phone' OR old.answered_at IS NOT NULL)
          OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = old.emergency_contact AND service = old.service
      AND assignee = coalesce(old.assignee, '');
END;

CREATE TRIGGER requests_recounted AFTER UPDATE OF
  kind, service, status, held, merged_into, answered_at, failed_reply, follow_up_at, follow_up_due, unanswered,
  unread, assignee, source
ON requests BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = old.kind AND status = old.status
      AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL)
        AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0
            AND (old.source <> 'phone' OR old.answered_at IS NOT NULL)
          OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = old.emergency_contact AND service = old.service
      AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES (new.kind, new.status,
      (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL)
        AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0
            AND (new.source <> 'phone' OR new.answered_at IS NOT NULL)
          OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      new.emergency_contact, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
