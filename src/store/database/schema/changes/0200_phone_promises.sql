-- A request by phone needs attention until its customer is answered, also while the reminder of
-- what was promised waits: its counters follow.
DROP TRIGGER quotes_counted;
DROP TRIGGER quotes_uncounted;
DROP TRIGGER quotes_recounted;

CREATE TRIGGER quotes_counted AFTER INSERT ON quotes BEGIN
  INSERT INTO request_counts VALUES ('quote', new.status,
      (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL)
        AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0
            AND (new.source <> 'phone' OR new.answered_at IS NOT NULL)
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
            AND (old.source <> 'phone' OR old.answered_at IS NOT NULL)
          OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = old.emergency_contact AND service = old.service_type
      AND assignee = coalesce(old.assignee, '');
END;

CREATE TRIGGER quotes_recounted AFTER UPDATE OF
  status, held, merged_into, answered_at, failed_reply, follow_up_at, follow_up_due, unanswered,
  unread, assignee, source
ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status
      AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL)
        AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0
            AND (old.source <> 'phone' OR old.answered_at IS NOT NULL)
          OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = old.emergency_contact AND service = old.service_type
      AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('quote', new.status,
      (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL)
        AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0
            AND (new.source <> 'phone' OR new.answered_at IS NOT NULL)
          OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

DELETE FROM request_counts WHERE kind = 'quote';
INSERT INTO request_counts
  SELECT 'quote', status, (held IS NOT NULL) + (merged_into IS NOT NULL),
    (unread = 0 AND (unanswered IS NULL OR answered_at IS NULL)
      AND (follow_up_at IS NOT NULL AND follow_up_due = 0
          AND (source <> 'phone' OR answered_at IS NOT NULL)
        OR answered_at IS NOT NULL AND failed_reply IS NULL AND follow_up_due = 0)),
    emergency_contact, service_type, coalesce(assignee, ''), count(*)
  FROM quotes GROUP BY 2, 3, 4, 5, 6, 7;
