-- Emails to be sent.

-- `id` is the millisecond of `created_at` times 16, or the number after the last: never reused,
-- because the Message-ID of an email is derived from it. `priority` is 0 for an account's email, 1
-- for an emergency notice, 2 for any other. `tried_since` is the first attempt since the row was
-- inserted, or since an operator's retry. `held_at` is set on an email that a restored backup holds
-- as due, and that may have been sent since: it is `failed` until an operator releases it. `event`
-- is the one whose detail says what became of the email; null for emails that do not belong to a
-- request, and until a new notice is split.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  created_at TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  notice TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent') OR state = 'failed'),
  due_at TEXT NOT NULL,
  lease TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  sent_at TEXT,
  late INTEGER NOT NULL DEFAULT 0 CHECK (late IN (0, 1)),
  priority INTEGER NOT NULL DEFAULT 2 CHECK (priority BETWEEN 0 AND 2),
  tried_since TEXT,
  held_at TEXT,
  event INTEGER
) STRICT;
CREATE INDEX outbox_due ON outbox (priority, due_at) WHERE state = 'due';
CREATE INDEX outbox_failed ON outbox (id) WHERE state = 'failed';

-- The emails of the last hour that acknowledge requests: to which address, when each is due, and
-- its id in `outbox`.
CREATE TABLE acknowledged (
  address TEXT NOT NULL,
  at TEXT NOT NULL,
  email INTEGER NOT NULL,
  PRIMARY KEY (address, at)
) STRICT, WITHOUT ROWID;

-- Since when the mail server takes no emails, and why; no row while it takes them.
CREATE TABLE mail_outage (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since TEXT NOT NULL,
  error TEXT NOT NULL
) STRICT;
