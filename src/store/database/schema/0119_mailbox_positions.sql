-- How far each mailbox of `[mail.inbound]` is read.
CREATE TABLE mailbox_positions (
  mailbox TEXT PRIMARY KEY,
  uid_validity INTEGER NOT NULL,
  last_uid INTEGER NOT NULL,
  read_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
