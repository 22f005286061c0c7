-- Lost requests by their reason, in the order of a list: among all lost ones, those of a reason were
-- found by reading each.
DROP INDEX requests_by_outcome;
CREATE INDEX requests_by_outcome
  ON requests (outcome, status, seq, state, service, kind, emergency_contact, outcome_cents,
    outcome_per)
  WHERE hidden = 0 AND outcome IS NOT NULL;
CREATE INDEX requests_by_reason
  ON requests (coalesce(outcome_reason, ''), status, seq, kind, emergency_contact)
  WHERE hidden = 0 AND outcome = 'lost';
