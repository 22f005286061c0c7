-- The kind before the status, so that the requests of one kind are counted without looking at those
-- of the other.
DROP INDEX requests_by_state;
DROP INDEX requests_by_service;
DROP INDEX requests_by_campaign;
DROP INDEX requests_by_assignee;
DROP INDEX requests_by_outcome;
DROP INDEX requests_by_reason;
DROP INDEX requests_by_answerer;
CREATE INDEX requests_by_state
  ON requests (state, kind, status, seq, service, outcome, emergency_contact, assigned,
    origin_source)
  WHERE hidden = 0 AND state IS NOT NULL;
CREATE INDEX requests_by_service
  ON requests (service, kind, status, seq, outcome, emergency_contact, assigned, origin_source)
  WHERE hidden = 0;
CREATE INDEX requests_by_campaign
  ON requests (origin_campaign, kind, status, seq, state, service, outcome, emergency_contact,
    origin_source)
  WHERE hidden = 0 AND origin_campaign <> '';
CREATE INDEX requests_by_assignee
  ON requests (assignee, kind, status, seq, state, service, outcome, emergency_contact, answered)
  WHERE hidden = 0 AND assignee IS NOT NULL;
CREATE INDEX requests_by_outcome
  ON requests (outcome, kind, status, seq, state, service, emergency_contact, outcome_cents,
    outcome_per)
  WHERE hidden = 0 AND outcome IS NOT NULL;
CREATE INDEX requests_by_reason
  ON requests (coalesce(outcome_reason, ''), kind, status, seq, emergency_contact)
  WHERE hidden = 0 AND outcome = 'lost';
CREATE INDEX requests_by_answerer
  ON requests (answered_by, kind, status, seq, emergency_contact)
  WHERE hidden = 0 AND answered_by IS NOT NULL;
