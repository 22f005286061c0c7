-- Only received emails count the tries that did not come back: what waits in a queue is tried
-- again as ever.
CREATE TABLE email_tries (
  email TEXT PRIMARY KEY REFERENCES received_emails (id) ON DELETE CASCADE,
  tries INTEGER NOT NULL,
  running INTEGER NOT NULL CHECK (running IN (0, 1)),
  began_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO email_tries
  SELECT item, tries, running, began_at FROM unfinished_work
  WHERE kind = 'received_email' AND item IN (SELECT id FROM received_emails);
DROP TABLE unfinished_work;
DROP INDEX outbox_leased;
