-- A duplicate names the request (its `seq`) into which it was merged, and in which it is shown. It is
-- `held` as well: what leaves out held requests leaves it out. `held` of `request_counts` is 2 for it.
ALTER TABLE quotes ADD COLUMN merged_into INTEGER;
ALTER TABLE contact_messages ADD COLUMN merged_into INTEGER;
CREATE INDEX quotes_merged ON quotes (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX messages_merged ON contact_messages (merged_into) WHERE merged_into IS NOT NULL;

DROP TRIGGER quotes_counted;
DROP TRIGGER quotes_uncounted;
DROP TRIGGER quotes_recounted;
DROP TRIGGER messages_counted;
DROP TRIGGER messages_uncounted;
DROP TRIGGER messages_recounted;

CREATE TRIGGER quotes_counted AFTER INSERT ON quotes BEGIN
  INSERT INTO request_counts VALUES ('quote', new.status, (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0 OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0),
      new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER quotes_uncounted AFTER DELETE ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0 OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0)
      AND emergency = old.emergency_contact AND service = old.service_type AND assignee = coalesce(old.assignee, '');
END;
CREATE TRIGGER quotes_recounted AFTER UPDATE OF status, held, merged_into, answered_at, failed_reply, follow_up_at, follow_up_due, assignee ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0 OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0)
      AND emergency = old.emergency_contact AND service = old.service_type AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('quote', new.status, (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0 OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0),
      new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER messages_counted AFTER INSERT ON contact_messages BEGIN
  INSERT INTO request_counts VALUES ('message', new.status, (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0 OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0),
      0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER messages_uncounted AFTER DELETE ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0 OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0)
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
END;
CREATE TRIGGER messages_recounted AFTER UPDATE OF status, held, merged_into, answered_at, failed_reply, follow_up_at, follow_up_due, assignee ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0 OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0)
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('message', new.status, (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0 OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0),
      0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

-- The server fills the index again, with the words of phone numbers.
INSERT INTO request_words (request_words) VALUES ('delete-all');
