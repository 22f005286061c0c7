-- Counters by the properties of requests, and others by the time of receipt. One table with all
-- columns has as many rows as there are combinations: a sixth of a million requests.

ALTER TABLE requests ADD COLUMN assigned INTEGER AS (assignee IS NOT NULL) VIRTUAL;
-- Whole minutes from the receipt to the first answer.
ALTER TABLE requests ADD COLUMN answer_minutes INTEGER AS (
  (CAST(round(unixepoch(answered_at, 'subsec') * 1000) AS INTEGER) - seq / 16) / 60000) VIRTUAL;

-- Where the first visit of the customer came from, of `attribution`. `source_of`, `campaign_of` and
-- `entry_page_of` are functions of the program (`store::database::schema`).
ALTER TABLE requests ADD COLUMN origin_source TEXT NOT NULL DEFAULT 'direct';
ALTER TABLE requests ADD COLUMN origin_campaign TEXT NOT NULL DEFAULT '';
ALTER TABLE requests ADD COLUMN origin_entry_page TEXT NOT NULL DEFAULT '';
UPDATE requests SET origin_source = iif(source = 'phone', 'phone', source_of(attribution)),
  origin_campaign = campaign_of(attribution), origin_entry_page = entry_page_of(attribution)
  WHERE source = 'phone' OR attribution IS NOT NULL;

-- An index for each list, in its order, with the columns of further filters after it, so that
-- requests are counted and passed over without reading their rows.
DROP INDEX requests_by_status;
DROP INDEX requests_by_state;
DROP INDEX requests_by_service;
DROP INDEX requests_by_assignee;
DROP INDEX requests_by_outcome;
DROP INDEX requests_unsettled;
DROP INDEX requests_attention;
CREATE INDEX requests_by_status
  ON requests (kind, status, seq, emergency_contact, answered, assigned, answer_minutes,
    origin_source, origin_campaign, origin_entry_page)
  WHERE hidden = 0;
CREATE INDEX requests_by_state
  ON requests (state, status, seq, service, outcome, kind, emergency_contact, assigned)
  WHERE hidden = 0 AND state IS NOT NULL;
CREATE INDEX requests_by_service
  ON requests (service, status, seq, outcome, kind, emergency_contact, assigned)
  WHERE hidden = 0;
CREATE INDEX requests_by_assignee
  ON requests (assignee, status, seq, state, service, outcome, kind, emergency_contact, answered)
  WHERE hidden = 0 AND assignee IS NOT NULL;
CREATE INDEX requests_by_outcome
  ON requests (outcome, status, seq, state, service, kind, emergency_contact, outcome_cents,
    outcome_per)
  WHERE hidden = 0 AND outcome IS NOT NULL;
-- Open requests without a first answer, and the others that need attention.
CREATE INDEX requests_unsettled
  ON requests (emergency_contact, status, seq, attention, answered, state, service, kind,
    assignee)
  WHERE hidden = 0 AND open = 1 AND answered_at IS NULL;
CREATE INDEX requests_attention
  ON requests (seq, emergency_contact, state, service, kind, status, assignee)
  WHERE hidden = 0 AND attention = 1 AND answered_at IS NOT NULL;

-- The number of requests of each combination, by periods of thirty days, counted from 1970. The row
-- of the kind `number` is the number of requests ever stored, from which the next reference is
-- made: in this table, it adds no page to a commit.
DROP TRIGGER requests_counted;
DROP TRIGGER requests_uncounted;
DROP TRIGGER requests_recounted;
ALTER TABLE request_counts RENAME TO earlier_counts;
CREATE TABLE request_counts (
  period INTEGER NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  hidden INTEGER NOT NULL,
  attention INTEGER NOT NULL,
  answered INTEGER NOT NULL,
  emergency_contact INTEGER NOT NULL,
  assigned INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (period, kind, status, hidden, attention, answered, emergency_contact, assigned)
) STRICT, WITHOUT ROWID;
INSERT INTO request_counts
  SELECT 0, 'number', '', -1, 0, 0, 0, 0, requests FROM earlier_counts WHERE kind = 'number'
  UNION ALL SELECT seq / 41472000000, kind, status, hidden, attention, answered,
    emergency_contact, assigned, count(*)
  FROM requests GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
DROP TABLE earlier_counts;

-- The number of requests of each combination of properties; '' for null.
CREATE TABLE property_counts (
  state TEXT NOT NULL,
  service TEXT NOT NULL,
  outcome TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  hidden INTEGER NOT NULL,
  emergency_contact INTEGER NOT NULL,
  assigned INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (state, service, outcome, kind, status, hidden, emergency_contact, assigned)
) STRICT, WITHOUT ROWID;
INSERT INTO property_counts
  SELECT coalesce(state, ''), service, coalesce(outcome, ''), kind, status, hidden,
    emergency_contact, assigned, count(*)
  FROM requests GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;

CREATE TRIGGER requests_counted AFTER INSERT ON requests BEGIN
  INSERT INTO request_counts VALUES (new.seq / 41472000000, new.kind, new.status, new.hidden,
      new.attention, new.answered, new.emergency_contact, new.assigned, 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
  INSERT INTO property_counts VALUES (coalesce(new.state, ''), new.service,
      coalesce(new.outcome, ''), new.kind, new.status, new.hidden, new.emergency_contact,
      new.assigned, 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

CREATE TRIGGER requests_uncounted AFTER DELETE ON requests BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE period = old.seq / 41472000000 AND kind = old.kind AND status = old.status
      AND hidden = old.hidden AND attention = old.attention AND answered = old.answered
      AND emergency_contact = old.emergency_contact AND assigned = old.assigned;
  UPDATE property_counts SET requests = requests - 1
    WHERE state = coalesce(old.state, '') AND service = old.service
      AND outcome = coalesce(old.outcome, '') AND kind = old.kind AND status = old.status
      AND hidden = old.hidden AND emergency_contact = old.emergency_contact
      AND assigned = old.assigned;
END;

CREATE TRIGGER requests_recounted AFTER UPDATE OF
  kind, status, source, held, merged_into, answered_at, failed_reply, unanswered, unread,
  follow_up_at, follow_up_due, emergency_contact, assignee, service, state, outcome
ON requests BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE period = old.seq / 41472000000 AND kind = old.kind AND status = old.status
      AND hidden = old.hidden AND attention = old.attention AND answered = old.answered
      AND emergency_contact = old.emergency_contact AND assigned = old.assigned;
  INSERT INTO request_counts VALUES (new.seq / 41472000000, new.kind, new.status, new.hidden,
      new.attention, new.answered, new.emergency_contact, new.assigned, 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
  UPDATE property_counts SET requests = requests - 1
    WHERE state = coalesce(old.state, '') AND service = old.service
      AND outcome = coalesce(old.outcome, '') AND kind = old.kind AND status = old.status
      AND hidden = old.hidden AND emergency_contact = old.emergency_contact
      AND assigned = old.assigned;
  INSERT INTO property_counts VALUES (coalesce(new.state, ''), new.service,
      coalesce(new.outcome, ''), new.kind, new.status, new.hidden, new.emergency_contact,
      new.assigned, 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
