-- Requests of a campaign, in the order of a list: they were found by reading all requests. The
-- source of a visit among those of a state or a service, which their rows were read for.
DROP INDEX requests_by_state;
DROP INDEX requests_by_service;
CREATE INDEX requests_by_state
  ON requests (state, status, seq, service, outcome, kind, emergency_contact, assigned,
    origin_source)
  WHERE hidden = 0 AND state IS NOT NULL;
CREATE INDEX requests_by_service
  ON requests (service, status, seq, outcome, kind, emergency_contact, assigned, origin_source)
  WHERE hidden = 0;
CREATE INDEX requests_by_campaign
  ON requests (origin_campaign, status, seq, state, service, outcome, kind, emergency_contact,
    origin_source)
  WHERE hidden = 0 AND origin_campaign <> '';
