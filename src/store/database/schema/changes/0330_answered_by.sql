-- Who has reached the customer of a request first, as a column: the author of the call or reply at
-- that time, empty if there is none. Lists are filtered by it, and by the reason of a loss.
ALTER TABLE requests ADD COLUMN answered_by TEXT;
UPDATE requests SET answered_by = coalesce(
    (SELECT actor FROM events WHERE events.seq = requests.seq
       AND (verb = 'called' AND at = answered_at
         OR verb IN ('replied', 'offer_sent') AND detail ->> 'at' = answered_at)
     ORDER BY id LIMIT 1), '')
  WHERE answered_at IS NOT NULL;

DROP INDEX requests_by_outcome;
CREATE INDEX requests_by_outcome
  ON requests (outcome, status, seq, state, service, kind, emergency_contact, outcome_cents,
    outcome_per, outcome_reason)
  WHERE hidden = 0 AND outcome IS NOT NULL;
CREATE INDEX requests_by_answerer
  ON requests (answered_by, status, seq, kind, emergency_contact)
  WHERE hidden = 0 AND answered_by IS NOT NULL;

-- Who has reached the customer of a request first.
CREATE TRIGGER requests_answered AFTER UPDATE OF answered_at ON requests
WHEN new.answered_at IS NOT old.answered_at BEGIN
  UPDATE requests SET answered_by = iif(answered_at IS NULL, NULL, coalesce(
      (SELECT actor FROM events WHERE events.seq = new.seq
         AND (verb = 'called' AND at = new.answered_at
           OR verb IN ('replied', 'offer_sent') AND detail ->> 'at' = new.answered_at)
       ORDER BY id LIMIT 1), ''))
    WHERE seq = new.seq;
END;
