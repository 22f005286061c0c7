-- Lists are filtered, ordered and counted by columns of the table; the full-text index holds words
-- only. `state_of` and `e164` are functions of the program (`store::database::schema`).

-- The postal code of the state in `location`, and `phone` in the international form.
ALTER TABLE requests ADD COLUMN state TEXT;
ALTER TABLE requests ADD COLUMN number TEXT;
UPDATE requests SET state = state_of(location), number = e164(phone);

-- 0: it is in the lists; 1: it is held as spam; 2: it is a duplicate, shown in another request.
ALTER TABLE requests ADD COLUMN hidden INTEGER
  AS ((held IS NOT NULL) + (merged_into IS NOT NULL)) VIRTUAL;
ALTER TABLE requests ADD COLUMN open INTEGER
  AS (status IN ('pending', 'in_progress')) VIRTUAL;
ALTER TABLE requests ADD COLUMN answered INTEGER AS (answered_at IS NOT NULL) VIRTUAL;
-- Whether it is open, and somebody has to act: its customer was not reached, not even by the last
-- reply, or has written since; or its reminder is due. Not while it waits for one, unless the
-- customer has written, or what they were promised on the phone is not kept yet.
ALTER TABLE requests ADD COLUMN attention INTEGER AS (
  status IN ('pending', 'in_progress') AND (
    unread = 1
    OR (unanswered IS NOT NULL AND answered_at IS NOT NULL)
    OR (follow_up_at IS NULL OR follow_up_due = 1 OR (source = 'phone' AND answered_at IS NULL))
      AND (answered_at IS NULL OR failed_reply IS NOT NULL OR follow_up_due = 1))) VIRTUAL;

-- An index for each list, in its order; one with `status` is read once for each status. Only six
-- of them have a new request: each costs a page of its commit.
CREATE INDEX requests_by_status ON requests (kind, status, seq) WHERE hidden = 0;
CREATE INDEX requests_by_state ON requests (state, status, seq)
  WHERE hidden = 0 AND state IS NOT NULL;
CREATE INDEX requests_by_service ON requests (service, status, seq) WHERE hidden = 0;
CREATE INDEX requests_by_assignee ON requests (assignee, status, seq)
  WHERE hidden = 0 AND assignee IS NOT NULL;
CREATE INDEX requests_by_outcome ON requests (outcome, status, seq)
  WHERE hidden = 0 AND outcome IS NOT NULL;
-- Open requests without a first answer, and the others that need attention.
CREATE INDEX requests_unsettled ON requests (emergency_contact, status, seq)
  WHERE hidden = 0 AND open = 1 AND answered_at IS NULL;
CREATE INDEX requests_attention ON requests (seq)
  WHERE hidden = 0 AND attention = 1 AND answered_at IS NOT NULL;
CREATE INDEX requests_unread ON requests (seq) WHERE hidden = 0 AND unread = 1;
CREATE INDEX requests_due ON requests (seq) WHERE hidden = 0 AND follow_up_due = 1;
-- The other requests of a customer.
CREATE INDEX requests_by_email ON requests (email COLLATE NOCASE, seq);
CREATE INDEX requests_by_number ON requests (number, seq) WHERE number IS NOT NULL;

-- How many requests there are of each combination of these columns of `requests`; '' for null. The
-- row of the kind `number` is the number of requests ever stored, from which the next reference is
-- made: in this table, it adds no page to a commit.
DROP TRIGGER requests_counted;
DROP TRIGGER requests_uncounted;
DROP TRIGGER requests_recounted;
ALTER TABLE request_counts RENAME TO earlier_counts;
CREATE TABLE request_counts (
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  hidden INTEGER NOT NULL,
  attention INTEGER NOT NULL,
  answered INTEGER NOT NULL,
  emergency_contact INTEGER NOT NULL,
  service TEXT NOT NULL,
  assignee TEXT NOT NULL,
  state TEXT NOT NULL,
  outcome TEXT NOT NULL,
  requests INTEGER NOT NULL,
  open INTEGER AS (status IN ('pending', 'in_progress')) VIRTUAL,
  PRIMARY KEY (kind, status, hidden, attention, answered, emergency_contact, service, assignee,
    state, outcome)
) STRICT, WITHOUT ROWID;
INSERT INTO request_counts
  SELECT 'number', '', -1, 0, 0, 0, '', '', '', '', requests FROM earlier_counts
    WHERE kind = 'number'
  UNION ALL SELECT kind, status, hidden, attention, answered, emergency_contact, service,
    coalesce(assignee, ''), coalesce(state, ''), coalesce(outcome, ''), count(*)
  FROM requests GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
DROP TABLE earlier_counts;

CREATE TRIGGER requests_counted AFTER INSERT ON requests BEGIN
  INSERT INTO request_counts VALUES (new.kind, new.status, new.hidden, new.attention,
      new.answered, new.emergency_contact, new.service, coalesce(new.assignee, ''),
      coalesce(new.state, ''), coalesce(new.outcome, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

CREATE TRIGGER requests_uncounted AFTER DELETE ON requests BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = old.kind AND status = old.status AND hidden = old.hidden
      AND attention = old.attention AND answered = old.answered
      AND emergency_contact = old.emergency_contact AND service = old.service
      AND assignee = coalesce(old.assignee, '') AND state = coalesce(old.state, '')
      AND outcome = coalesce(old.outcome, '');
END;

CREATE TRIGGER requests_recounted AFTER UPDATE OF
  kind, status, source, held, merged_into, answered_at, failed_reply, unanswered, unread,
  follow_up_at, follow_up_due, emergency_contact, service, assignee, state, outcome
ON requests BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = old.kind AND status = old.status AND hidden = old.hidden
      AND attention = old.attention AND answered = old.answered
      AND emergency_contact = old.emergency_contact AND service = old.service
      AND assignee = coalesce(old.assignee, '') AND state = coalesce(old.state, '')
      AND outcome = coalesce(old.outcome, '');
  INSERT INTO request_counts VALUES (new.kind, new.status, new.hidden, new.attention,
      new.answered, new.emergency_contact, new.service, coalesce(new.assignee, ''),
      coalesce(new.state, ''), coalesce(new.outcome, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

-- The words of all requests are indexed again, without properties, after the start.
INSERT INTO request_words (request_words) VALUES ('delete-all');
