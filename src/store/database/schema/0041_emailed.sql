-- When the first reply to a request was delivered. A customer who wants a call is answered by a call
-- that reaches them only (`answered_at`), and not by a reply.
ALTER TABLE quotes ADD COLUMN emailed_at TEXT;
ALTER TABLE contact_messages ADD COLUMN emailed_at TEXT;
UPDATE quotes SET emailed_at = answered_at, answered_at = NULL
WHERE emergency_contact = 1 AND answered_at IS NOT NULL AND status IN ('pending', 'in_progress')
  AND NOT EXISTS (
    SELECT 1 FROM events AS call
    WHERE call.seq = quotes.seq AND call.verb = 'called' AND call.detail ->> 'outcome' = 'reached'
      AND NOT EXISTS (
        SELECT 1 FROM events AS undo
        WHERE undo.seq = call.seq AND undo.verb = 'undone' AND undo.detail ->> 'event' = call.id));

-- The server fills the index again.
INSERT INTO request_words (request_words) VALUES ('delete-all');
