-- Rates and offers.

-- What offers are made with: published versions as JSON, which never change, and the draft of the
-- next. Without a version the sample of the program is shown.
CREATE TABLE rate_versions (
  version INTEGER PRIMARY KEY,
  rates TEXT NOT NULL,
  published_at TEXT NOT NULL,
  published_by TEXT NOT NULL
) STRICT;

CREATE TRIGGER rate_versions_never_change BEFORE UPDATE ON rate_versions BEGIN
  SELECT RAISE(ABORT, 'published rates never change');
END;

CREATE TABLE rate_draft (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  rates TEXT NOT NULL,
  saved_at TEXT NOT NULL,
  saved_by TEXT NOT NULL
) STRICT;

-- Offers. `seq` is that of the request; `version` the last one that was sent, 0 if none; `draft`
-- the JSON of the next one, null if there is none; `revision` grows with each change of the draft.
CREATE TABLE offers (
  number TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 0,
  draft TEXT,
  revision INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX offers_by_request ON offers (seq);
CREATE INDEX offers_by_change ON offers (updated_at);

-- The bytes of what was sent: they never change. A digest is SHA-256 in lower-case hexadecimal
-- digits.
CREATE TABLE offer_versions (
  number TEXT NOT NULL,
  version INTEGER NOT NULL,
  json BLOB NOT NULL,
  text BLOB NOT NULL,
  pdf BLOB NOT NULL,
  json_digest TEXT NOT NULL,
  text_digest TEXT NOT NULL,
  pdf_digest TEXT NOT NULL,
  PRIMARY KEY (number, version)
) STRICT;
CREATE INDEX offer_versions_by_json ON offer_versions (json_digest);
CREATE INDEX offer_versions_by_text ON offer_versions (text_digest);
CREATE INDEX offer_versions_by_pdf ON offer_versions (pdf_digest);

CREATE TRIGGER offer_versions_never_change BEFORE UPDATE ON offer_versions BEGIN
  SELECT RAISE(ABORT, 'a version of an offer never changes');
END;

-- The state of each version. `total_cents` is for a week if `is_weekly`. `answered_by` is the name
-- of the customer, or of the person of the office who has entered the answer; `reminders` counts
-- those that were sent; `event` is the event of the sending; `opened_at` is when a person has first
-- pressed something on its page.
CREATE TABLE offer_states (
  number TEXT NOT NULL,
  version INTEGER NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('sent', 'accepted', 'declined', 'expired', 'superseded', 'withdrawn')),
  recipient TEXT NOT NULL,
  total_cents INTEGER NOT NULL,
  is_weekly INTEGER NOT NULL CHECK (is_weekly IN (0, 1)),
  valid_until TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  sent_at TEXT NOT NULL,
  sent_by TEXT NOT NULL,
  event INTEGER NOT NULL,
  reminders INTEGER NOT NULL DEFAULT 0,
  answered_at TEXT,
  answered_by TEXT,
  reason TEXT,
  opened_at TEXT,
  PRIMARY KEY (number, version)
) STRICT;
CREATE INDEX offer_states_waiting ON offer_states (expires_at) WHERE state = 'sent';
CREATE INDEX offer_states_by_recipient ON offer_states (recipient COLLATE NOCASE);

-- A request has the total of its offer that was sent last.
CREATE TRIGGER offers_sent AFTER UPDATE OF version ON offers BEGIN
  UPDATE requests SET offered_cents =
    (SELECT total_cents FROM offers JOIN offer_states USING (number, version)
     WHERE seq = new.seq ORDER BY sent_at DESC, number DESC LIMIT 1)
  WHERE seq = new.seq;
END;

-- Acceptances, each with the digest of the one before it: a chain. `record` is canonical JSON,
-- `digest` that of it, `seal` the server's over the digest, `receipt` a PDF.
CREATE TABLE offer_acceptances (
  id INTEGER PRIMARY KEY,
  number TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  record BLOB NOT NULL,
  digest TEXT NOT NULL UNIQUE,
  seal TEXT NOT NULL,
  receipt BLOB NOT NULL,
  receipt_digest TEXT NOT NULL
) STRICT;
CREATE INDEX offer_acceptances_by_receipt ON offer_acceptances (receipt_digest);

CREATE TRIGGER offer_acceptances_never_change BEFORE UPDATE ON offer_acceptances BEGIN
  SELECT RAISE(ABORT, 'an acceptance never changes');
END;

-- The code that was sent to another address than the recipient's, as a keyed digest. `sent` counts
-- the codes since `since`, `tries` the wrong ones that were entered.
CREATE TABLE offer_codes (
  number TEXT PRIMARY KEY,
  address TEXT NOT NULL,
  code TEXT NOT NULL,
  created_at TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  since TEXT NOT NULL,
  sent INTEGER NOT NULL
) STRICT;
