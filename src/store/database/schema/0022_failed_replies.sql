-- The event of a reply that could not be delivered, until the customer is reached in another way: a
-- request with one needs attention, whether or not it was answered before. `answered` of
-- `request_counts` is 1 for requests that need no attention.
ALTER TABLE quotes ADD COLUMN failed_reply INTEGER;
ALTER TABLE contact_messages ADD COLUMN failed_reply INTEGER;

DROP TRIGGER quotes_counted;
DROP TRIGGER quotes_uncounted;
DROP TRIGGER quotes_recounted;
DROP TRIGGER messages_counted;
DROP TRIGGER messages_uncounted;
DROP TRIGGER messages_recounted;

CREATE TRIGGER quotes_counted AFTER INSERT ON quotes BEGIN
  INSERT INTO request_counts VALUES ('quote', new.status, new.held IS NOT NULL, new.answered_at IS NOT NULL AND new.failed_reply IS NULL, new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER quotes_uncounted AFTER DELETE ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status AND held = (old.held IS NOT NULL) AND answered = (old.answered_at IS NOT NULL AND old.failed_reply IS NULL)
      AND emergency = old.emergency_contact AND service = old.service_type AND assignee = coalesce(old.assignee, '');
END;
CREATE TRIGGER quotes_recounted AFTER UPDATE OF status, held, answered_at, failed_reply, assignee ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status AND held = (old.held IS NOT NULL) AND answered = (old.answered_at IS NOT NULL AND old.failed_reply IS NULL)
      AND emergency = old.emergency_contact AND service = old.service_type AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('quote', new.status, new.held IS NOT NULL, new.answered_at IS NOT NULL AND new.failed_reply IS NULL, new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER messages_counted AFTER INSERT ON contact_messages BEGIN
  INSERT INTO request_counts VALUES ('message', new.status, new.held IS NOT NULL, new.answered_at IS NOT NULL AND new.failed_reply IS NULL, 0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER messages_uncounted AFTER DELETE ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status AND held = (old.held IS NOT NULL) AND answered = (old.answered_at IS NOT NULL AND old.failed_reply IS NULL)
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
END;
CREATE TRIGGER messages_recounted AFTER UPDATE OF status, held, answered_at, failed_reply, assignee ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status AND held = (old.held IS NOT NULL) AND answered = (old.answered_at IS NOT NULL AND old.failed_reply IS NULL)
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('message', new.status, new.held IS NOT NULL, new.answered_at IS NOT NULL AND new.failed_reply IS NULL, 0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
