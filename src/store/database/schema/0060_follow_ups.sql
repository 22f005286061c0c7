-- A request that somebody wants to be reminded of leaves "Needs attention" until `follow_up_at`. Then
-- the server sets `follow_up_due`, and it is back with a mark until it is followed up. `follow_up_by`
-- is a user's id. `answered` of `request_counts` is 1 for requests that need no attention.
ALTER TABLE quotes ADD COLUMN follow_up_at TEXT;
ALTER TABLE quotes ADD COLUMN follow_up_by TEXT;
ALTER TABLE quotes ADD COLUMN follow_up_due INTEGER NOT NULL DEFAULT 0 CHECK (follow_up_due IN (0, 1));
ALTER TABLE contact_messages ADD COLUMN follow_up_at TEXT;
ALTER TABLE contact_messages ADD COLUMN follow_up_by TEXT;
ALTER TABLE contact_messages ADD COLUMN follow_up_due INTEGER NOT NULL DEFAULT 0 CHECK (follow_up_due IN (0, 1));
CREATE INDEX quotes_waiting ON quotes (follow_up_at) WHERE follow_up_at IS NOT NULL AND follow_up_due = 0;
CREATE INDEX messages_waiting ON contact_messages (follow_up_at) WHERE follow_up_at IS NOT NULL AND follow_up_due = 0;

DROP TRIGGER quotes_counted;
DROP TRIGGER quotes_uncounted;
DROP TRIGGER quotes_recounted;
DROP TRIGGER messages_counted;
DROP TRIGGER messages_uncounted;
DROP TRIGGER messages_recounted;

CREATE TRIGGER quotes_counted AFTER INSERT ON quotes BEGIN
  INSERT INTO request_counts VALUES ('quote', new.status, new.held IS NOT NULL,
      (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0 OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0),
      new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER quotes_uncounted AFTER DELETE ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status AND held = (old.held IS NOT NULL)
      AND answered = (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0 OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0)
      AND emergency = old.emergency_contact AND service = old.service_type AND assignee = coalesce(old.assignee, '');
END;
CREATE TRIGGER quotes_recounted AFTER UPDATE OF status, held, answered_at, failed_reply, follow_up_at, follow_up_due, assignee ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status AND held = (old.held IS NOT NULL)
      AND answered = (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0 OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0)
      AND emergency = old.emergency_contact AND service = old.service_type AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('quote', new.status, new.held IS NOT NULL,
      (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0 OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0),
      new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER messages_counted AFTER INSERT ON contact_messages BEGIN
  INSERT INTO request_counts VALUES ('message', new.status, new.held IS NOT NULL,
      (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0 OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0),
      0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER messages_uncounted AFTER DELETE ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status AND held = (old.held IS NOT NULL)
      AND answered = (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0 OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0)
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
END;
CREATE TRIGGER messages_recounted AFTER UPDATE OF status, held, answered_at, failed_reply, follow_up_at, follow_up_due, assignee ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status AND held = (old.held IS NOT NULL)
      AND answered = (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0 OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0)
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('message', new.status, new.held IS NOT NULL,
      (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0 OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0),
      0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
