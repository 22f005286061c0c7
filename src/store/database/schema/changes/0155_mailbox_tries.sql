-- How the reading of a mailbox of `[mail.inbound]` goes. `read_at`: when all of its messages were
-- last stored or set aside; `failing_since` and `error`: since when, and why, that fails.
CREATE TABLE mailbox_states (
  mailbox TEXT PRIMARY KEY,
  read_at TEXT,
  failing_since TEXT,
  error TEXT
) STRICT, WITHOUT ROWID;
-- Messages of a mailbox that were tried and are not stored. A try is counted before it begins.
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
