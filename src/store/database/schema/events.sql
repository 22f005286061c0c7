-- The history of requests.

-- What happened to a request after it was received, written in the transaction of each change.
-- `id` is the millisecond times 16, or the number after the last. `actor` is a user's id, null for
-- the server itself; `detail` is a JSON object (`domain::request::event`). `bulk` is the same in
-- all events of one bulk change.
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('quote', 'message')),
  at TEXT NOT NULL,
  actor TEXT,
  verb TEXT NOT NULL,
  detail TEXT NOT NULL,
  bulk INTEGER
) STRICT;
CREATE INDEX events_by_request ON events (seq);
CREATE INDEX events_by_bulk ON events (bulk) WHERE bulk IS NOT NULL;

-- Answers name the email that they answer.
CREATE INDEX events_by_email ON events (detail ->> 'email_id')
  WHERE verb IN ('replied', 'emailed', 'offer_sent');

-- The texts of deleted notes, which are kept for as long as the deletion can be undone.
CREATE INDEX deleted_notes ON events (id) WHERE verb = 'note_deleted';
