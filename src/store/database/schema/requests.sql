-- Quotes and contact messages: requests. `new_reference_key` and `installation_mark` are functions
-- of the program (`store::database::schema`).

-- The key of the permutation from numbers to references (`domain::request::reference`): it never
-- changes. `issued` is the highest number that a request had which was deleted, or is not the
-- newest: no number is given twice.
CREATE TABLE reference_key (key BLOB NOT NULL, issued INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO reference_key (key) VALUES (new_reference_key());
INSERT INTO installation (id, mark) SELECT 1, installation_mark(key) FROM reference_key;

-- `kind` is `quote` or `message`. Only quotes have `location`, `start_date`, `duration` and
-- `emergency_contact`; the text of a message is its `description`. `source` is how it came: by a
-- form of the site, or typed by an admin during a call.
--
-- `reference` is unique and never reused: it is made of `ordinal`, null in requests from before it
-- was stored. `extra_fields` is a JSON object of the form's fields
-- without a column of their own. `assignee` is a user's id. A request by phone may have an empty
-- `email`.
--
-- What waits is computed from the history (`domain::request::waits`): `answered_at` is when the
-- customer was reached, `answered_by` the user id of who has reached them, empty if that is not
-- known, and `emailed_at` when the first reply was delivered: a customer who wants a call is
-- answered only by a call that reaches them. `failed_reply` is the event of an email that the
-- customer did not get, until they are reached. `unanswered` is the event of the oldest message
-- that was not answered, or acceptance that was not confirmed; it counts once the request was
-- answered a first time. `unread`: something was not opened, or a message waits that no clock
-- counts.
--
-- A request leaves "Needs attention" until `follow_up_at`; then the server sets `follow_up_due`.
-- `follow_up_by` is a user's id.
--
-- `held` is a JSON array of the reasons why the request is held as spam, `signals` that of the
-- signals of a request that is not held, or was released. `held_at` is when an admin marked it as
-- spam, from which its deletion counts; null if the filter held it. A duplicate names the request
-- (its `seq`) into which it was merged; it is `held` as well, so that what leaves out held
-- requests leaves it out.
--
-- The outcome of a request is `won`, `lost` or `not_customer`; its value is in cents, for a month
-- (`month`) or in all (`total`). It is won since `won_at`, when an offer was accepted or that was
-- entered, whatever its status; another outcome counts while the request is closed.
-- `offered_cents` is the total of the offer that was sent last, `value_cents` that of the outcome
-- or else of that offer.
--
-- `state` is the postal code of the state in `location`, `number` is `phone` in the international
-- form. `hidden` is 0 for a request in the lists, 1 for one held as spam, 2 for a duplicate.
-- `attention`: it is open, and somebody has to act: its customer was not reached, not even by the
-- last reply, or has written since; or its reminder is due. Not while it waits for one, unless the
-- customer has written, or what they were promised on the phone is not kept yet. `answer_minutes`
-- are whole minutes from the receipt to the first answer. The columns of the origin say where the
-- first visit of the customer came from, as `attribution` has it (`domain::figures::source`).
--
-- SQLite creates a temporary table for each list of three or more values in a CHECK of a column
-- that a post writes: such a check lists its values in pairs.
CREATE TABLE requests (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('quote', 'message')),
  id TEXT NOT NULL,
  reference TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'in_progress') OR status IN ('completed', 'cancelled')),
  source TEXT NOT NULL DEFAULT 'web' CHECK (source IN ('web', 'phone')),
  demo INTEGER NOT NULL DEFAULT 0 CHECK (demo IN (0, 1)),
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT NOT NULL,
  company TEXT,
  service TEXT NOT NULL,
  location TEXT,
  start_date TEXT,
  duration TEXT,
  emergency_contact INTEGER NOT NULL DEFAULT 0 CHECK (emergency_contact IN (0, 1)),
  description TEXT,
  extra_fields TEXT,
  attribution TEXT,
  assignee TEXT,
  answered_at TEXT,
  emailed_at TEXT,
  failed_reply INTEGER,
  unanswered INTEGER,
  unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1)),
  follow_up_at TEXT,
  follow_up_by TEXT,
  follow_up_due INTEGER NOT NULL DEFAULT 0 CHECK (follow_up_due IN (0, 1)),
  outcome TEXT,
  outcome_reason TEXT,
  outcome_words TEXT,
  outcome_cents INTEGER,
  outcome_per TEXT,
  held TEXT,
  held_at TEXT,
  signals TEXT,
  merged_into INTEGER,
  state TEXT,
  number TEXT,
  hidden INTEGER AS ((held IS NOT NULL) + (merged_into IS NOT NULL)) VIRTUAL,
  open INTEGER AS (status IN ('pending', 'in_progress')) VIRTUAL,
  answered INTEGER AS (answered_at IS NOT NULL) VIRTUAL,
  attention INTEGER AS (
    status IN ('pending', 'in_progress') AND (
      unread = 1
      OR (unanswered IS NOT NULL AND answered_at IS NOT NULL)
      OR (follow_up_at IS NULL OR follow_up_due = 1 OR (source = 'phone' AND answered_at IS NULL))
        AND (answered_at IS NULL OR failed_reply IS NOT NULL OR follow_up_due = 1))) VIRTUAL,
  answer_minutes INTEGER AS (
    (CAST(round(unixepoch(answered_at, 'subsec') * 1000) AS INTEGER) - seq / 16) / 60000) VIRTUAL,
  origin_source TEXT NOT NULL DEFAULT 'direct',
  origin_campaign TEXT NOT NULL DEFAULT '',
  origin_entry_page TEXT NOT NULL DEFAULT '',
  answered_by TEXT,
  won_at TEXT,
  ordinal INTEGER,
  offered_cents INTEGER,
  value_cents INTEGER AS (
    coalesce(iif(open = 0 OR outcome = 'won', outcome_cents, NULL), offered_cents)) VIRTUAL,
  CHECK (kind = 'message' OR
    (location IS NOT NULL AND start_date IS NOT NULL AND duration IS NOT NULL))
) STRICT;

-- The records of the specification, of requests that are not held as spam.
CREATE VIEW quotes AS
  SELECT id, created_at, first_name, last_name, email, phone, company, service AS service_type,
    duration, start_date, location, description, status, emergency_contact
  FROM requests WHERE kind = 'quote' AND held IS NULL;
CREATE VIEW contact_messages AS
  SELECT id, created_at, first_name, last_name, email, phone, company, service,
    description AS details, status
  FROM requests WHERE kind = 'message' AND held IS NULL;

-- The `seq` of requests whose id does not encode it (`domain::ids::seq_of_id`).
CREATE TABLE old_request_ids (id TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Requests that are held as spam, few among many.
CREATE INDEX requests_held ON requests (seq) WHERE held IS NOT NULL;
-- Requests whose reminder is not due yet.
CREATE INDEX requests_waiting ON requests (follow_up_at)
  WHERE follow_up_at IS NOT NULL AND follow_up_due = 0;
-- Won requests, by the time of signing.
CREATE INDEX requests_won ON requests (won_at) WHERE won_at IS NOT NULL;
-- Duplicates.
CREATE INDEX requests_merged ON requests (merged_into) WHERE merged_into IS NOT NULL;
-- Requests with a message that was not answered.
CREATE INDEX requests_unanswered ON requests (unanswered) WHERE unanswered IS NOT NULL;

-- The requests of the lists, the closed and the open ones in the order of receipt, with all columns
-- that filters, orders and counts read: they are passed over without reading their rows. What
-- is read of open ones only, which are few, comes last.
CREATE INDEX requests_listed
  ON requests (open, seq, start_date, value_cents, kind, status, state, service, unread, outcome,
    won_at, outcome_cents, outcome_per, outcome_reason, origin_source, origin_campaign,
    origin_entry_page, assignee, answered_by, answer_minutes, attention, answered,
    emergency_contact, unanswered, follow_up_at, follow_up_due, follow_up_by)
  WHERE hidden = 0;
-- The closed requests, which are many, in the orders of lists other than that of receipt.
CREATE INDEX requests_closed_by_start ON requests (start_date, seq, status, kind)
  WHERE hidden = 0 AND open = 0;
CREATE INDEX requests_closed_by_value ON requests (value_cents, seq, status, kind)
  WHERE hidden = 0 AND open = 0;
-- The other requests of a customer; those by phone number are found by its digits in the search
-- index.
CREATE INDEX requests_by_email ON requests (email COLLATE NOCASE, seq);

-- What belongs to a request ends with it. The keys of files begin with its id; '0' is the
-- character after '/'.
CREATE TRIGGER requests_removed AFTER DELETE ON requests BEGIN
  DELETE FROM request_drafts WHERE seq = old.seq;
  DELETE FROM received_emails WHERE seq = old.seq;
  DELETE FROM objects
    WHERE bucket_id IN ('quotes', 'mail') AND name > old.id || '/' AND name < old.id || '0';
  DELETE FROM resumable_uploads
    WHERE quote_id = old.id
      OR (bucket_id = 'quotes' AND name > old.id || '/' AND name < old.id || '0');
  DELETE FROM quote_uploads WHERE quote_id = old.id;
  UPDATE reference_key SET issued = old.ordinal WHERE issued < old.ordinal;
END;
