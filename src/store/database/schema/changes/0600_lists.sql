-- Lists are sorted by value without the offers of each request, and have the open requests apart
-- from the many that are closed.
ALTER TABLE requests ADD COLUMN offered_cents INTEGER;
ALTER TABLE requests ADD COLUMN value_cents INTEGER AS (
    coalesce(iif(open = 0 OR outcome = 'won', outcome_cents, NULL), offered_cents)) VIRTUAL;
DROP INDEX requests_listed;
DROP INDEX requests_of_assignee;
CREATE INDEX requests_listed
  ON requests (open, seq, start_date, value_cents, kind, status, state, service, unread, outcome,
    won_at, outcome_cents, outcome_per, outcome_reason, origin_source, origin_campaign,
    origin_entry_page, assignee, answered_by, answer_minutes, attention, answered,
    emergency_contact, unanswered, follow_up_at, follow_up_due, follow_up_by)
  WHERE hidden = 0;

-- A request has the total of its offer that was sent last.
CREATE TRIGGER offers_sent AFTER UPDATE OF version ON offers BEGIN
  UPDATE requests SET offered_cents =
    (SELECT total_cents FROM offers JOIN offer_states USING (number, version)
     WHERE seq = new.seq ORDER BY sent_at DESC, number DESC LIMIT 1)
  WHERE seq = new.seq;
END;
UPDATE offers SET version = version;
