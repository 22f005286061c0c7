-- The emails of requests: their state is shown in the history of the request.

-- The event whose detail says what became of the email (`state`, `at`, `error`); NULL for emails that do
-- not belong to a request, and until a new notice is split by recipients.
ALTER TABLE outbox ADD COLUMN event INTEGER;

-- The addresses that got an acknowledgement within the last hour.
CREATE TABLE acknowledged (address TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Up to which request overdue ones were looked for, by kind and step: a `seq`, or for `looked_again` the
-- id of an event (`store::inbox::escalations`).
CREATE TABLE escalations (scan TEXT PRIMARY KEY, up_to INTEGER NOT NULL) STRICT, WITHOUT ROWID;
