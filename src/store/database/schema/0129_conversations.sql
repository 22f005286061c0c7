-- Emails of customers, each once (`fingerprint`), stored before they are acknowledged to the mail
-- server; the bytes are the object `<id>/message.eml` in the bucket `mail`, files of the email are
-- beside it. `new`: not brought into a conversation yet. `attached`: in the history of the request `seq`,
-- as the event `event`. `detail` is JSON: what that event has or will have.
CREATE TABLE received_emails (
  id TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  received_at TEXT NOT NULL,
  way TEXT NOT NULL CHECK (way IN ('pipe', 'imap')),
  recipient TEXT,
  size INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'attached', 'unmatched', 'discarded')),
  tries INTEGER NOT NULL DEFAULT 0,
  class TEXT CHECK (class IN ('human', 'automatic', 'report')),
  message_id TEXT,
  sender TEXT,
  detail TEXT NOT NULL DEFAULT '{}',
  seq INTEGER,
  event INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX received_emails_open ON received_emails (state, received_at) WHERE state <> 'attached';
CREATE INDEX received_emails_by_message_id ON received_emails (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX received_emails_by_request ON received_emails (seq) WHERE seq IS NOT NULL;
-- The files of an email end with it, and its requests end with theirs. '0' is the character after '/'.
CREATE TRIGGER received_emails_files_removed AFTER DELETE ON received_emails BEGIN
  DELETE FROM objects WHERE bucket_id = 'mail' AND name > old.id || '/' AND name < old.id || '0';
END;
CREATE TRIGGER quotes_emails_removed AFTER DELETE ON quotes BEGIN
  DELETE FROM received_emails WHERE seq = old.seq;
  DELETE FROM objects WHERE bucket_id = 'mail' AND name > old.id || '/' AND name < old.id || '0';
END;
CREATE TRIGGER messages_emails_removed AFTER DELETE ON contact_messages BEGIN
  DELETE FROM received_emails WHERE seq = old.seq;
  DELETE FROM objects WHERE bucket_id = 'mail' AND name > old.id || '/' AND name < old.id || '0';
END;

-- Answers name the email that they answer.
CREATE INDEX events_by_email ON events (detail ->> 'email_id') WHERE verb IN ('replied', 'emailed', 'offer_sent');

-- `unanswered`: the event of the oldest message of the customer that was not answered; it counts once
-- the request was answered a first time. `unread`: whether there is a message that nobody has opened.
ALTER TABLE quotes ADD COLUMN unanswered INTEGER;
ALTER TABLE quotes ADD COLUMN unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1));
ALTER TABLE contact_messages ADD COLUMN unanswered INTEGER;
ALTER TABLE contact_messages ADD COLUMN unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1));
CREATE INDEX quotes_unanswered ON quotes (unanswered) WHERE unanswered IS NOT NULL;
CREATE INDEX messages_unanswered ON contact_messages (unanswered) WHERE unanswered IS NOT NULL;

DROP TRIGGER quotes_counted;
DROP TRIGGER quotes_uncounted;
DROP TRIGGER quotes_recounted;
DROP TRIGGER messages_counted;
DROP TRIGGER messages_uncounted;
DROP TRIGGER messages_recounted;

CREATE TRIGGER quotes_counted AFTER INSERT ON quotes BEGIN
  INSERT INTO request_counts VALUES ('quote', new.status, (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL) AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0 OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER quotes_uncounted AFTER DELETE ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL) AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0 OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = old.emergency_contact AND service = old.service_type AND assignee = coalesce(old.assignee, '');
END;
CREATE TRIGGER quotes_recounted AFTER UPDATE OF status, held, merged_into, answered_at, failed_reply, follow_up_at, follow_up_due, unanswered, unread, assignee ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL) AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0 OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = old.emergency_contact AND service = old.service_type AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('quote', new.status, (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL) AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0 OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER messages_counted AFTER INSERT ON contact_messages BEGIN
  INSERT INTO request_counts VALUES ('message', new.status, (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL) AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0 OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER messages_uncounted AFTER DELETE ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL) AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0 OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
END;
CREATE TRIGGER messages_recounted AFTER UPDATE OF status, held, merged_into, answered_at, failed_reply, follow_up_at, follow_up_due, unanswered, unread, assignee ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL) AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0 OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('message', new.status, (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL) AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0 OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
