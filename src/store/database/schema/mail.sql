-- Customers' emails, and the mailboxes that they are read from.

-- Emails of customers, each once (`fingerprint`), stored before they are acknowledged to the mail
-- server; the bytes are the object `<id>/message.eml` in the bucket `mail`, files of the email are
-- beside it. `new`: not brought into a conversation yet. `attached`: in the history of the request
-- `seq`, as the event `event`. `detail` is JSON: what that event has or will have.
CREATE TABLE received_emails (
  id TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  received_at TEXT NOT NULL,
  way TEXT NOT NULL CHECK (way IN ('pipe', 'imap')),
  recipient TEXT,
  size INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'new'
    CHECK (state IN ('new', 'attached', 'unmatched', 'discarded')),
  class TEXT CHECK (class IN ('human', 'automatic', 'report')),
  message_id TEXT,
  sender TEXT,
  detail TEXT NOT NULL DEFAULT '{}',
  seq INTEGER,
  event INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX received_emails_open ON received_emails (state, received_at) WHERE state <> 'attached';
CREATE INDEX received_emails_by_message_id ON received_emails (message_id)
  WHERE message_id IS NOT NULL;
CREATE INDEX received_emails_by_request ON received_emails (seq) WHERE seq IS NOT NULL;

-- The files of an email end with it. '0' is the character after '/'.
CREATE TRIGGER received_emails_files_removed AFTER DELETE ON received_emails BEGIN
  DELETE FROM objects WHERE bucket_id = 'mail' AND name > old.id || '/' AND name < old.id || '0';
END;

-- Tries of received emails whose end is not recorded. `tries` counts how often one began, and
-- `running` is 1 while this server works on it. A row with `running` 0 is of an email during which
-- the process, or the one that read it, ended.
CREATE TABLE email_tries (
  email TEXT PRIMARY KEY REFERENCES received_emails (id) ON DELETE CASCADE,
  tries INTEGER NOT NULL,
  running INTEGER NOT NULL CHECK (running IN (0, 1)),
  began_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How far each mailbox of `[mail.inbound]` is read.
CREATE TABLE mailbox_positions (
  mailbox TEXT PRIMARY KEY,
  uid_validity INTEGER NOT NULL,
  last_uid INTEGER NOT NULL,
  read_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How the reading of a mailbox of `[mail.inbound]` goes. `read_at`: when all of its messages were
-- last stored or set aside; `failing_since` and `error`: since when, and why, that fails.
CREATE TABLE mailbox_states (
  mailbox TEXT PRIMARY KEY,
  read_at TEXT,
  failing_since TEXT,
  error TEXT
) STRICT, WITHOUT ROWID;

-- Messages of a mailbox that were tried and are not stored.
CREATE TABLE mailbox_tries (
  mailbox TEXT NOT NULL,
  uid_validity INTEGER NOT NULL,
  uid INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  first_at TEXT NOT NULL,
  tried_at TEXT NOT NULL,
  error TEXT,
  PRIMARY KEY (mailbox, uid_validity, uid)
) STRICT, WITHOUT ROWID;
