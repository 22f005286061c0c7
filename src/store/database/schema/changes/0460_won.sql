-- A request is won on the day on which its offer was accepted or its outcome was entered, and not
-- only while it is closed. An accepted offer has accepted its request.
ALTER TABLE requests ADD COLUMN won_at TEXT;
UPDATE requests SET won_at = coalesce(
    (SELECT min(answered_at) FROM offers JOIN offer_states USING (number)
     WHERE offers.seq = requests.seq AND state = 'accepted'),
    (SELECT max(at) FROM events WHERE events.seq = requests.seq AND verb = 'outcome_set'),
    updated_at)
  WHERE outcome = 'won';
CREATE INDEX requests_won ON requests (won_at) WHERE won_at IS NOT NULL;

UPDATE requests SET status = 'in_progress'
  WHERE status = 'pending' AND held IS NULL AND seq IN
    (SELECT seq FROM offers JOIN offer_states USING (number) WHERE state = 'accepted');
