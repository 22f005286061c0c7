-- Emails to send. A row is inserted in the transaction of the event that it reports. `notice` is
-- JSON (`domain::email::notice`), empty once an account's email was sent; `due_at` is the Unix epoch
-- until the first attempt has failed; `lease` is the time until which one process has claimed the
-- row; `late` is set once the delay was logged.
CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  created_at TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  notice TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent', 'failed')),
  due_at TEXT NOT NULL,
  lease TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  sent_at TEXT,
  late INTEGER NOT NULL DEFAULT 0 CHECK (late IN (0, 1))
) STRICT;
CREATE INDEX outbox_due ON outbox (due_at, id) WHERE state = 'due';
CREATE INDEX outbox_leased ON outbox (lease) WHERE lease IS NOT NULL;
CREATE INDEX outbox_failed ON outbox (created_at, id) WHERE state = 'failed';
CREATE INDEX outbox_by_subject ON outbox (subject_id);
