-- The schema of release 0.1.0 (`user_version` 54).

-- The database itself: what it is, the files that belong to it, its backups and jobs.

-- What this database is: the mark that it leaves in buckets and places of backups, so that no
-- other database writes or deletes there. One that was restored from a backup (of the time
-- `restored_from`) has another mark than its predecessor, and is a drill until `drill_since` is
-- empty. Its row is inserted with the key of references, from which the mark is made
-- (`requests.sql`).
CREATE TABLE installation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  mark TEXT NOT NULL,
  predecessor TEXT,
  drill_since TEXT,
  restored_from TEXT
) STRICT;

-- The files of the data folder that belong to this database: a keyed fingerprint of each key file,
-- so that a start with missing or wrong keys fails; and the pictures of the media folder at the
-- last start.
CREATE TABLE key_files (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE media_files (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- Every place into which a backup was made, by the schedule or by hand: `place` is the path of a
-- folder or s3://bucket/prefix, `backup` the last one made there, `sequence` its number in that
-- place. `inherited` is 1 in a restored database until it makes a backup there itself.
-- `behind_since`: since when the ledger of erasures beside the backups lacks an erasure; null if
-- it is complete.
CREATE TABLE backup_places (
  place TEXT PRIMARY KEY,
  made_at TEXT NOT NULL,
  backup TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  proved_at TEXT,
  inherited INTEGER NOT NULL DEFAULT 0 CHECK (inherited IN (0, 1)),
  behind_since TEXT
) STRICT, WITHOUT ROWID;

-- The last run of each maintenance job (backup, proof of the backup, retention): `detail` is its
-- result or its error, `told_at` when the office was last told that it fails.
CREATE TABLE maintenance (
  job TEXT PRIMARY KEY,
  ran_at TEXT NOT NULL,
  ok INTEGER NOT NULL CHECK (ok IN (0, 1)),
  succeeded_at TEXT,
  seconds REAL NOT NULL,
  detail TEXT NOT NULL,
  told_at TEXT
) STRICT, WITHOUT ROWID;

-- Maintenance jobs that an operator asks the running server for, such as the order of a
-- certificate. `taken_at` is set when the server begins; a recorded run deletes the row.
CREATE TABLE job_requests (
  job TEXT PRIMARY KEY,
  requested_at TEXT NOT NULL,
  taken_at TEXT
) STRICT, WITHOUT ROWID;

-- Written and deleted by `/readyz` (`store::database::health`): a write of the size of a post
-- shows whether posts can be stored.
CREATE TABLE write_probe (id INTEGER PRIMARY KEY CHECK (id = 1), content BLOB NOT NULL) STRICT;

-- Accounts: users, how they sign in, their sessions, and the log of what admins did.

-- `admin_managed`: an admin created, invited or promoted an unconfirmed account, and sign-ups for
-- it do not set a password. `display_name` is how the user is named to colleagues and customers,
-- `signature` the end of their replies.
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT UNIQUE,
  phone TEXT UNIQUE,
  password_hash TEXT,
  email_confirmed_at TEXT,
  phone_confirmed_at TEXT,
  new_email TEXT,
  email_change_confirmed TEXT CHECK (email_change_confirmed IN ('current', 'new')),
  app_metadata TEXT NOT NULL DEFAULT '{}',
  user_metadata TEXT NOT NULL DEFAULT '{}',
  invited_at TEXT,
  confirmation_sent_at TEXT,
  recovery_sent_at TEXT,
  email_change_sent_at TEXT,
  reauthentication_sent_at TEXT,
  last_sign_in_at TEXT,
  banned_until TEXT,
  deleted_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  admin_managed INTEGER NOT NULL DEFAULT 0 CHECK (admin_managed IN (0, 1)),
  display_name TEXT,
  signature TEXT
) STRICT;
CREATE INDEX users_by_time ON users (created_at, id);

-- A user has one role: `admin`, or `dispatcher`, who works on requests only
-- (`domain::account::Role`).
CREATE TABLE user_roles (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('admin', 'dispatcher')),
  created_at TEXT NOT NULL,
  PRIMARY KEY (user_id, role)
) STRICT, WITHOUT ROWID;

-- Identities of users: `subject` is the provider's id of the user (for `email` our own user id).
CREATE TABLE identities (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  identity_data TEXT NOT NULL DEFAULT '{}',
  email TEXT,
  last_sign_in_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (provider, subject)
) STRICT;
CREATE INDEX identities_by_user ON identities (user_id);

-- One session is one family of refresh tokens. A refresh token is derived from the session's id
-- and a counter: `counter` is the current one; tokens below `floor` were issued before the second
-- factor and are rejected.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  refreshed_at TEXT NOT NULL,
  aal TEXT NOT NULL CHECK (aal IN ('aal1', 'aal2')),
  amr TEXT NOT NULL,
  factor_id TEXT,
  user_agent TEXT,
  counter INTEGER NOT NULL DEFAULT 0,
  floor INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id, created_at);

-- When a refresh token was used; deleted after the reuse interval.
CREATE TABLE refreshes (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  counter INTEGER NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (session_id, counter)
) STRICT, WITHOUT ROWID;

-- PKCE flows (RFC 7636). `state_digest` is set during a redirect to a provider, `code_digest` once
-- the code is issued.
CREATE TABLE flows (
  id TEXT PRIMARY KEY,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  method TEXT NOT NULL,
  code_challenge TEXT,
  redirect_to TEXT,
  state_digest TEXT UNIQUE,
  details TEXT NOT NULL DEFAULT '{}',
  code_digest TEXT UNIQUE,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX flows_by_time ON flows (expires_at);

-- The password and metadata of a sign-up are stored with the token of its email, so that the link
-- or code that is used decides which apply. `sender` separates emails sent by an admin from
-- requested ones: a request replaces requested ones only. `user_id` is null for an address without
-- an account, for which the same rows are written.
CREATE TABLE one_time_tokens (
  id INTEGER PRIMARY KEY,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  slot TEXT NOT NULL
    CHECK (slot IN ('confirmation', 'recovery', 'email_change_current', 'email_change_new',
      'reauthentication')),
  sender TEXT NOT NULL CHECK (sender IN ('request', 'admin')),
  kind TEXT NOT NULL,
  address TEXT NOT NULL,
  nonce TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE,
  flow_id TEXT,
  wrong INTEGER NOT NULL DEFAULT 0,
  password_hash TEXT,
  user_metadata TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX one_time_tokens_by_user ON one_time_tokens (user_id, slot);
CREATE INDEX one_time_tokens_by_address ON one_time_tokens (address, slot);

-- Second factors. `secret` is encrypted with a key that is not in this database; `last_step` is
-- the last accepted time step, so that no code is accepted twice.
CREATE TABLE factors (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  friendly_name TEXT NOT NULL DEFAULT '',
  factor_type TEXT NOT NULL CHECK (factor_type IN ('totp')),
  status TEXT NOT NULL CHECK (status IN ('unverified', 'verified')),
  secret TEXT NOT NULL,
  last_step INTEGER NOT NULL DEFAULT 0,
  last_challenged_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX factors_by_user ON factors (user_id);

CREATE TABLE challenges (
  id TEXT PRIMARY KEY,
  factor_id TEXT NOT NULL REFERENCES factors (id) ON DELETE CASCADE,
  client TEXT NOT NULL,
  used_at TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX challenges_by_factor ON challenges (factor_id);
CREATE INDEX challenges_by_time ON challenges (expires_at);

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest TEXT NOT NULL,
  used_at TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (user_id, digest)
) STRICT, WITHOUT ROWID;

-- Client addresses of earlier sign-ins: guesses from other addresses do not lock them out.
-- `client` is a keyed hash of an address.
CREATE TABLE known_clients (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  PRIMARY KEY (user_id, client)
) STRICT, WITHOUT ROWID;

-- Token buckets (GCRA: one time per bucket, in milliseconds) for guesses at an account's secrets
-- and for emails to an address. `bucket` is a keyed hash.
CREATE TABLE buckets (bucket TEXT PRIMARY KEY, full_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX buckets_by_time ON buckets (full_at);

-- Digests of used one-time values: messages signed by a wallet, nonces of an id_token.
CREATE TABLE spent (digest TEXT PRIMARY KEY, expires_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX spent_by_time ON spent (expires_at);

-- Decoy rows for requests that send no email, so that they take as long as the others; deleted
-- soon.
CREATE TABLE decoys (id INTEGER PRIMARY KEY, due_at TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX decoys_due ON decoys (due_at);

CREATE TABLE decoy_user (sent_at TEXT) STRICT;
INSERT INTO decoy_user VALUES (NULL);

-- The audit log. Rows outlive the users in them, so there are no foreign keys; never a secret,
-- never an address in clear: `client` is the keyed hash of the client's address, `subject_id` of a
-- failed sign-in a user's id, or the keyed hash of the email address that was entered.
CREATE TABLE audit (
  id TEXT PRIMARY KEY,
  at TEXT NOT NULL,
  action TEXT NOT NULL,
  actor TEXT NOT NULL,
  subject_id TEXT,
  detail TEXT NOT NULL DEFAULT '{}',
  client TEXT
) STRICT;
CREATE INDEX audit_by_time ON audit (at, id);
CREATE INDEX audit_by_subject ON audit (subject_id, at);

-- Quotes and contact messages: requests, keyed by a `seq` that is unique across both tables.
-- `new_reference_key` and `installation_mark` are functions of the program
-- (`store::database::schema`).

-- The key of the permutation from numbers to references (`domain::request::reference`): it never
-- changes.
CREATE TABLE reference_key (key BLOB NOT NULL) STRICT;
INSERT INTO reference_key VALUES (new_reference_key());
INSERT INTO installation (id, mark) SELECT 1, installation_mark(key) FROM reference_key;

-- `reference` is unique and never reused. `extra_fields` is a JSON object of the form's fields
-- without a column of their own. `assignee` is a user's id. A request by phone may have an empty
-- `email`.
--
-- `answered_at` is when the customer was reached, and `emailed_at` when the first reply was
-- delivered: a customer who wants a call is answered only by a call that reaches them.
-- `failed_reply` is the event of a reply that could not be delivered, until the customer is
-- reached in another way. `unanswered` is the event of the oldest message of the customer that was
-- not answered; it counts once the request was answered a first time. `unread`: there is a message
-- that nobody has opened.
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
-- The outcome of a closed request is `won`, `lost` or `not_customer`; its value is in cents, for a
-- month (`month`) or in all (`total`).
--
-- SQLite creates a temporary table for each list of three or more values in a CHECK of a column
-- that a post writes: such a check lists its values in pairs.
CREATE TABLE quotes (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  reference TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT NOT NULL,
  company TEXT,
  service_type TEXT NOT NULL,
  duration TEXT NOT NULL,
  start_date TEXT NOT NULL,
  location TEXT NOT NULL,
  description TEXT,
  extra_fields TEXT,
  status TEXT NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'in_progress') OR status IN ('completed', 'cancelled')),
  emergency_contact INTEGER NOT NULL CHECK (emergency_contact IN (0, 1)),
  attribution TEXT,
  assignee TEXT,
  answered_at TEXT,
  held TEXT,
  demo INTEGER NOT NULL DEFAULT 0 CHECK (demo IN (0, 1)),
  failed_reply INTEGER,
  emailed_at TEXT,
  signals TEXT,
  follow_up_at TEXT,
  follow_up_by TEXT,
  follow_up_due INTEGER NOT NULL DEFAULT 0 CHECK (follow_up_due IN (0, 1)),
  outcome TEXT,
  outcome_reason TEXT,
  outcome_words TEXT,
  outcome_cents INTEGER,
  outcome_per TEXT,
  source TEXT NOT NULL DEFAULT 'web' CHECK (source IN ('web', 'phone')),
  held_at TEXT,
  merged_into INTEGER,
  unanswered INTEGER,
  unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1))
) STRICT;

-- As `quotes`, without what only quotes have.
CREATE TABLE contact_messages (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  reference TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT NOT NULL,
  company TEXT,
  service TEXT NOT NULL,
  details TEXT NOT NULL,
  extra_fields TEXT,
  status TEXT NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'in_progress') OR status IN ('completed', 'cancelled')),
  attribution TEXT,
  assignee TEXT,
  answered_at TEXT,
  held TEXT,
  demo INTEGER NOT NULL DEFAULT 0 CHECK (demo IN (0, 1)),
  failed_reply INTEGER,
  emailed_at TEXT,
  signals TEXT,
  follow_up_at TEXT,
  follow_up_by TEXT,
  follow_up_due INTEGER NOT NULL DEFAULT 0 CHECK (follow_up_due IN (0, 1)),
  outcome TEXT,
  outcome_reason TEXT,
  outcome_words TEXT,
  outcome_cents INTEGER,
  outcome_per TEXT,
  held_at TEXT,
  merged_into INTEGER,
  unanswered INTEGER,
  unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1))
) STRICT;

-- The `seq` of requests whose id does not encode it (`domain::ids::seq_of_id`).
CREATE TABLE old_request_ids (id TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- The requests that are held as spam, few among many: no other request is in these indexes.
CREATE INDEX quotes_held ON quotes (seq) WHERE held IS NOT NULL;
CREATE INDEX messages_held ON contact_messages (seq) WHERE held IS NOT NULL;

-- Requests whose reminder is not due yet.
CREATE INDEX quotes_waiting ON quotes (follow_up_at)
  WHERE follow_up_at IS NOT NULL AND follow_up_due = 0;
CREATE INDEX messages_waiting ON contact_messages (follow_up_at)
  WHERE follow_up_at IS NOT NULL AND follow_up_due = 0;

-- Duplicates.
CREATE INDEX quotes_merged ON quotes (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX messages_merged ON contact_messages (merged_into) WHERE merged_into IS NOT NULL;

-- Requests with a message that was not answered.
CREATE INDEX quotes_unanswered ON quotes (unanswered) WHERE unanswered IS NOT NULL;
CREATE INDEX messages_unanswered ON contact_messages (unanswered) WHERE unanswered IS NOT NULL;

-- How many requests there are of each combination, maintained by triggers. `held` is 2 for a
-- duplicate, `answered` is 1 for requests that need no attention. The row of the kind `number` is
-- the number of requests ever stored, from which the next reference is made: in this table, it
-- adds no page to a commit.
CREATE TABLE request_counts (
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  held INTEGER NOT NULL,
  answered INTEGER NOT NULL,
  emergency INTEGER NOT NULL,
  service TEXT NOT NULL,
  assignee TEXT NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (kind, status, held, answered, emergency, service, assignee)
) STRICT, WITHOUT ROWID;
INSERT INTO request_counts VALUES ('number', '', 0, 0, 0, '', '', 0);

CREATE TRIGGER quotes_counted AFTER INSERT ON quotes BEGIN
  INSERT INTO request_counts VALUES ('quote', new.status,
      (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL)
        AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0
          OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

CREATE TRIGGER quotes_uncounted AFTER DELETE ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status
      AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL)
        AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0
          OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = old.emergency_contact AND service = old.service_type
      AND assignee = coalesce(old.assignee, '');
END;

CREATE TRIGGER quotes_recounted AFTER UPDATE OF
  status, held, merged_into, answered_at, failed_reply, follow_up_at, follow_up_due, unanswered,
  unread, assignee
ON quotes BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'quote' AND status = old.status
      AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL)
        AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0
          OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = old.emergency_contact AND service = old.service_type
      AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('quote', new.status,
      (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL)
        AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0
          OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      new.emergency_contact, new.service_type, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

CREATE TRIGGER messages_counted AFTER INSERT ON contact_messages BEGIN
  INSERT INTO request_counts VALUES ('message', new.status,
      (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL)
        AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0
          OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

CREATE TRIGGER messages_uncounted AFTER DELETE ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status
      AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL)
        AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0
          OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
END;

CREATE TRIGGER messages_recounted AFTER UPDATE OF
  status, held, merged_into, answered_at, failed_reply, follow_up_at, follow_up_due, unanswered,
  unread, assignee
ON contact_messages BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE kind = 'message' AND status = old.status
      AND held = (old.held IS NOT NULL) + (old.merged_into IS NOT NULL)
      AND answered = (old.unread = 0 AND (old.unanswered IS NULL OR old.answered_at IS NULL)
        AND (old.follow_up_at IS NOT NULL AND old.follow_up_due = 0
          OR old.answered_at IS NOT NULL AND old.failed_reply IS NULL AND old.follow_up_due = 0))
      AND emergency = 0 AND service = old.service AND assignee = coalesce(old.assignee, '');
  INSERT INTO request_counts VALUES ('message', new.status,
      (new.held IS NOT NULL) + (new.merged_into IS NOT NULL),
      (new.unread = 0 AND (new.unanswered IS NULL OR new.answered_at IS NULL)
        AND (new.follow_up_at IS NOT NULL AND new.follow_up_due = 0
          OR new.answered_at IS NOT NULL AND new.failed_reply IS NULL AND new.follow_up_due = 0)),
      0, new.service, coalesce(new.assignee, ''), 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;

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

-- How the desk works on requests: escalations, filters, templates and drafts.

-- Up to which request overdue ones were looked for, by kind and step: a `seq`, or for
-- `looked_again` the id of an event (`store::inbox::escalations`).
CREATE TABLE escalations (scan TEXT PRIMARY KEY, up_to INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Named filters of the inbox: `query` is the query string of the address. A shared one is listed
-- for all.
CREATE TABLE inbox_filters (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
  created_at TEXT NOT NULL,
  UNIQUE (owner, name)
) STRICT, WITHOUT ROWID;

-- Templates of replies that admins have written, beside those of the program. The shared ones of a
-- deleted account stay, without an owner.
CREATE TABLE reply_templates (
  id TEXT PRIMARY KEY,
  owner TEXT REFERENCES users (id) ON DELETE SET NULL,
  title TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (owner, title)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER own_templates_deleted BEFORE DELETE ON users BEGIN
  DELETE FROM reply_templates WHERE owner = old.id AND shared = 0;
END;

-- What somebody has typed into a form about a request and not sent yet: `fields` is a JSON object
-- of texts by the fields' names.
CREATE TABLE request_drafts (
  owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  form TEXT NOT NULL,
  fields TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (owner, seq, form)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_drafts_by_request ON request_drafts (seq);

CREATE TRIGGER quotes_drafts_removed AFTER DELETE ON quotes BEGIN
  DELETE FROM request_drafts WHERE seq = old.seq;
END;

CREATE TRIGGER messages_drafts_removed AFTER DELETE ON contact_messages BEGIN
  DELETE FROM request_drafts WHERE seq = old.seq;
END;

-- The search index of requests, and what its results depend on.

-- The words of each request, keyed by its `seq` (`store::search::index`), without positions or a
-- copy of the text: a list of rows per word, read newest first.
CREATE VIRTUAL TABLE request_words USING fts5 (
  words, content = '', contentless_delete = 1, detail = none,
  tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO request_words (request_words, rank) VALUES ('automerge', 8);

-- A view of every word of the index, without storage of its own. Prefixes are looked up here
-- (`store::search::prefix`).
CREATE VIRTUAL TABLE request_words_each USING fts5vocab (request_words, instance);

-- Whether the customer of an indexed request has asked before changes if an earlier request is
-- held, released, changed or deleted, or comes in after the clock was set back. These changes are
-- counted: results stay the same until the next one.
CREATE TABLE asked_before_changes (changes INTEGER NOT NULL);
INSERT INTO asked_before_changes VALUES (0);

CREATE TRIGGER quotes_asked_before AFTER UPDATE OF held, email, phone ON quotes
WHEN new.seq <= (SELECT max(id) FROM request_words_docsize) BEGIN
  UPDATE asked_before_changes SET changes = changes + 1;
END;

CREATE TRIGGER messages_asked_before AFTER UPDATE OF held, email, phone ON contact_messages
WHEN new.seq <= (SELECT max(id) FROM request_words_docsize) BEGIN
  UPDATE asked_before_changes SET changes = changes + 1;
END;

CREATE TRIGGER quotes_not_asked_before AFTER DELETE ON quotes BEGIN
  UPDATE asked_before_changes SET changes = changes + 1;
END;

CREATE TRIGGER messages_not_asked_before AFTER DELETE ON contact_messages BEGIN
  UPDATE asked_before_changes SET changes = changes + 1;
END;

-- Accepted submissions of forms, for rate limits and repeated ones.

-- For the rate window of a client, and for the receipt of a repeated submission. `client` is a
-- keyed hash of an address, `site` that of its IPv6 /48, whose clients share a limit of their own;
-- `at` is in milliseconds, `key` the idempotency key of the form, if any. They are found by hashes
-- in memory (`store::submissions::index`).
CREATE TABLE submissions (
  form TEXT NOT NULL,
  client TEXT NOT NULL,
  at INTEGER NOT NULL,
  key TEXT,
  fingerprint TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  reference TEXT NOT NULL DEFAULT '',
  site TEXT
) STRICT;

-- Emails to be sent.

-- `id` is the millisecond of `created_at` times 16, or the number after the last: never reused,
-- because the Message-ID of an email is derived from it. `priority` is 0 for an account's email, 1
-- for an emergency notice, 2 for any other. `tried_since` is the first attempt since the row was
-- inserted, or since an operator's retry. `unfinished` counts consecutive attempts during which
-- the process ended. `held_at` is set on an email that a restored backup holds as due, and that
-- may have been sent since: it is `failed` until an operator releases it. `event` is the one whose
-- detail says what became of the email; null for emails that do not belong to a request, and until
-- a new notice is split.
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
  unfinished INTEGER NOT NULL DEFAULT 0,
  held_at TEXT,
  event INTEGER
) STRICT;
CREATE INDEX outbox_due ON outbox (priority, due_at) WHERE state = 'due';
CREATE INDEX outbox_leased ON outbox (lease) WHERE lease IS NOT NULL;
CREATE INDEX outbox_failed ON outbox (id) WHERE state = 'failed';

-- The addresses that got an acknowledgement within the last hour.
CREATE TABLE acknowledged (address TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT, WITHOUT ROWID;

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
  tries INTEGER NOT NULL DEFAULT 0,
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

-- How far each mailbox of `[mail.inbound]` is read.
CREATE TABLE mailbox_positions (
  mailbox TEXT PRIMARY KEY,
  uid_validity INTEGER NOT NULL,
  last_uid INTEGER NOT NULL,
  read_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What customers have written ends with their request. '0' is the character after '/'.
CREATE TRIGGER quotes_emails_removed AFTER DELETE ON quotes BEGIN
  DELETE FROM received_emails WHERE seq = old.seq;
  DELETE FROM objects WHERE bucket_id = 'mail' AND name > old.id || '/' AND name < old.id || '0';
END;

CREATE TRIGGER messages_emails_removed AFTER DELETE ON contact_messages BEGIN
  DELETE FROM received_emails WHERE seq = old.seq;
  DELETE FROM objects WHERE bucket_id = 'mail' AND name > old.id || '/' AND name < old.id || '0';
END;

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
-- those that were sent; `event` is the event of the sending.
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
  PRIMARY KEY (number, version)
) STRICT;
CREATE INDEX offer_states_waiting ON offer_states (expires_at) WHERE state = 'sent';
CREATE INDEX offer_states_by_recipient ON offer_states (recipient COLLATE NOCASE);

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

-- The rota, how people are reached, and alarms.

-- The rota has one row: the number of weeks in the cycle, a day in its first week, a number that
-- grows with each change, and one that is part of the calendar's address. Minutes are those of the
-- day.
CREATE TABLE rota (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  weeks INTEGER NOT NULL,
  first_day TEXT NOT NULL,
  version INTEGER NOT NULL,
  calendar INTEGER NOT NULL
) STRICT;
INSERT INTO rota VALUES (1, 1, '2026-01-05', 0, 0);

CREATE TABLE rota_shifts (
  position INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  week INTEGER NOT NULL,
  weekday INTEGER NOT NULL,
  from_minute INTEGER NOT NULL,
  until_minute INTEGER NOT NULL
) STRICT;

CREATE TABLE rota_overrides (
  id INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  from_at TEXT NOT NULL,
  until_at TEXT NOT NULL
) STRICT;

-- How people are reached: a number in the format E.164, and the browsers that take pushes.
CREATE TABLE on_call_phones (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  phone TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE push_devices (
  id INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  endpoint TEXT NOT NULL UNIQUE,
  p256dh TEXT NOT NULL,
  auth TEXT NOT NULL,
  created_at TEXT NOT NULL,
  seen_at TEXT NOT NULL
) STRICT;
CREATE INDEX push_devices_by_user ON push_devices (user_id);

-- Alarms. `seq` is that of the request; null for a test and for a gap in the rota, whose beginning
-- is `about`. `next_at` is when the next step of the round is due; null once the alarm is over, or
-- a round waits for nothing. `after_event` is the last event before the round: a later change of
-- the request by a person acknowledges it.
CREATE TABLE alarms (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('emergency', 'overdue', 'test', 'gap')),
  seq INTEGER,
  about TEXT,
  created_at TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'raised' CHECK (state IN ('raised', 'acknowledged', 'over')),
  round INTEGER NOT NULL DEFAULT 1,
  round_at TEXT NOT NULL,
  step INTEGER NOT NULL DEFAULT 0,
  next_at TEXT,
  after_event INTEGER NOT NULL DEFAULT 0,
  acknowledged_at TEXT,
  acknowledged_by TEXT
) STRICT;
CREATE INDEX alarms_due ON alarms (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX alarms_by_request ON alarms (seq) WHERE seq IS NOT NULL;

-- What a person is told by one way in one step: never twice. `device` is that of a push; `event`
-- records the outcome in the history of the request; `told_next` is set once another way stands in
-- for this one.
CREATE TABLE alarm_messages (
  id INTEGER PRIMARY KEY,
  alarm INTEGER NOT NULL REFERENCES alarms (id) ON DELETE CASCADE,
  round INTEGER NOT NULL,
  step INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('push', 'call', 'sms', 'email')),
  device INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent', 'failed', 'over')),
  due_at TEXT NOT NULL,
  lease TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  sent_at TEXT,
  last_error TEXT,
  event INTEGER,
  told_next INTEGER NOT NULL DEFAULT 0,
  UNIQUE (alarm, round, step, user_id, channel, device)
) STRICT;
CREATE INDEX alarm_messages_due ON alarm_messages (due_at) WHERE state = 'due';

-- Webhooks.

-- Other systems that are told of requests. `events` is a JSON array; `secret` and `old_secret`,
-- which signs too until `old_until`, are those of Standard Webhooks. `failing_since` is the first
-- failure since the last success.
CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  shape TEXT NOT NULL CHECK (shape IN ('standard', 'slack', 'teams', 'ntfy')),
  events TEXT NOT NULL,
  secret TEXT NOT NULL,
  old_secret TEXT,
  old_until TEXT,
  is_on INTEGER NOT NULL DEFAULT 1 CHECK (is_on IN (0, 1)),
  failing_since TEXT,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Events that have not been turned into deliveries yet, inserted in the transaction of their
-- cause.
CREATE TABLE webhook_events (
  id INTEGER PRIMARY KEY,
  event TEXT NOT NULL,
  seq INTEGER,
  at TEXT,
  detail TEXT
) STRICT;

-- Deliveries, and their log. `message` is the id of the message, which is the same in each
-- attempt.
CREATE TABLE webhook_deliveries (
  id INTEGER PRIMARY KEY,
  endpoint TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  message TEXT NOT NULL,
  event TEXT NOT NULL,
  seq INTEGER,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent', 'failed')),
  due_at TEXT NOT NULL,
  lease TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  status INTEGER,
  last_error TEXT,
  sent_at TEXT
) STRICT;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint, due_at) WHERE state = 'due';
CREATE INDEX webhook_deliveries_by_request ON webhook_deliveries (seq) WHERE seq IS NOT NULL;

CREATE TRIGGER quotes_announced AFTER INSERT ON quotes
WHEN new.demo = 0 AND new.held IS NULL AND EXISTS (SELECT 1 FROM webhook_endpoints) BEGIN
  INSERT INTO webhook_events (event, seq) VALUES ('request.created', new.seq);
END;

CREATE TRIGGER messages_announced AFTER INSERT ON contact_messages
WHEN new.demo = 0 AND new.held IS NULL AND EXISTS (SELECT 1 FROM webhook_endpoints) BEGIN
  INSERT INTO webhook_events (event, seq) VALUES ('request.created', new.seq);
END;

CREATE TRIGGER quotes_change_announced AFTER UPDATE OF status, assignee, answered_at, held ON quotes
WHEN new.demo = 0 AND EXISTS (SELECT 1 FROM webhook_endpoints) BEGIN
  INSERT INTO webhook_events (event, seq) SELECT 'request.created', new.seq
    WHERE old.held IS NOT NULL AND new.held IS NULL AND old.held_at IS NULL;
  INSERT INTO webhook_events (event, seq) SELECT 'request.answered', new.seq
    WHERE old.answered_at IS NULL AND new.answered_at IS NOT NULL;
  INSERT INTO webhook_events (event, seq) SELECT 'request.changed', new.seq
    WHERE old.status IS NOT new.status OR old.assignee IS NOT new.assignee;
END;

CREATE TRIGGER messages_change_announced AFTER UPDATE OF status, assignee, answered_at, held
ON contact_messages WHEN new.demo = 0 AND EXISTS (SELECT 1 FROM webhook_endpoints) BEGIN
  INSERT INTO webhook_events (event, seq) SELECT 'request.created', new.seq
    WHERE old.held IS NOT NULL AND new.held IS NULL AND old.held_at IS NULL;
  INSERT INTO webhook_events (event, seq) SELECT 'request.answered', new.seq
    WHERE old.answered_at IS NULL AND new.answered_at IS NOT NULL;
  INSERT INTO webhook_events (event, seq) SELECT 'request.changed', new.seq
    WHERE old.status IS NOT new.status OR old.assignee IS NOT new.assignee;
END;

-- The site's content: versions, drafts, pictures, and clicks on phone links.

-- The site's content. A version holds the sections that differ from the shipped ones, as JSON by
-- key, and the days on which pages changed, by path; `published_by` is a user's id, null for a
-- command.
CREATE TABLE content_versions (
  version INTEGER PRIMARY KEY,
  published_at TEXT NOT NULL,
  published_by TEXT,
  reason TEXT NOT NULL CHECK (reason IN ('publish', 'import', 'back')),
  sections TEXT NOT NULL,
  days TEXT NOT NULL
) STRICT;

-- The documents of the newest version whose body is not that of the build, compressed, and the
-- renderer that made them.
CREATE TABLE content_pages (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  renderer TEXT NOT NULL,
  pages BLOB NOT NULL
) STRICT;

-- Pictures that the content names, cut and compressed, by a digest of their bytes.
CREATE TABLE content_pictures (
  name TEXT PRIMARY KEY,
  bytes BLOB NOT NULL,
  stored_at TEXT NOT NULL
) STRICT;

-- What is being edited: a section each. `number` counts its changes.
CREATE TABLE content_drafts (
  section TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  value TEXT NOT NULL,
  saved_at TEXT NOT NULL,
  saved_by TEXT NOT NULL
) STRICT;

-- Drafts of the site's content that are published at a time: a section each. `scheduled_by` is a
-- user's id; `refused` is why the publication failed, after which it is not tried again.
CREATE TABLE content_schedule (
  section TEXT PRIMARY KEY REFERENCES content_drafts (section) ON DELETE CASCADE,
  at TEXT NOT NULL,
  scheduled_by TEXT NOT NULL,
  refused TEXT
) STRICT;

-- Warnings of expiring licenses that were queued: by state, last valid day and the step in days.
CREATE TABLE license_warnings (
  state TEXT NOT NULL,
  expires TEXT NOT NULL,
  step INTEGER NOT NULL,
  queued_at TEXT NOT NULL,
  PRIMARY KEY (state, expires, step)
) STRICT, WITHOUT ROWID;

-- Clicks on phone links by day and page, without data about the visitor.
CREATE TABLE taps (
  day TEXT NOT NULL,
  page TEXT NOT NULL,
  taps INTEGER NOT NULL,
  PRIMARY KEY (day, page)
) STRICT, WITHOUT ROWID;

-- Files: buckets, objects, uploads and virus scans.

CREATE TABLE storage_buckets (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  owner TEXT,
  public INTEGER NOT NULL CHECK (public IN (0, 1)),
  file_size_limit INTEGER,
  allowed_mime_types TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE objects (
  id TEXT PRIMARY KEY,
  bucket_id TEXT NOT NULL REFERENCES storage_buckets (id),
  name TEXT NOT NULL,
  owner TEXT,
  version TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  media_type TEXT NOT NULL,
  cache_control TEXT NOT NULL,
  user_metadata TEXT,
  scan TEXT NOT NULL DEFAULT 'unscanned'
    CHECK (scan IN ('unscanned', 'scanning', 'clean', 'infected')),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX objects_by_key ON objects (bucket_id, name);
-- Folders are listed in any case.
CREATE INDEX objects_by_folded_key ON objects (bucket_id, lower(name));
CREATE INDEX objects_by_content ON objects (sha256);
-- Files that wait for their virus scan.
CREATE INDEX objects_to_scan ON objects (sha256) WHERE scan = 'scanning';

-- Contents that an object has stopped using: the file is deleted after the commit, unless another
-- object uses it.
CREATE TABLE released_contents (sha256 TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TRIGGER objects_removed AFTER DELETE ON objects BEGIN
  INSERT OR IGNORE INTO released_contents VALUES (old.sha256);
END;

CREATE TRIGGER objects_overwritten AFTER UPDATE OF sha256 ON objects
WHEN old.sha256 <> new.sha256 BEGIN
  INSERT OR IGNORE INTO released_contents VALUES (old.sha256);
END;

-- How many files visitors have added to a quote, how many of their pictures could not be read, and
-- when the last email about them is due, in milliseconds. Removing a file gives no place back.
CREATE TABLE quote_uploads (
  quote_id TEXT PRIMARY KEY,
  accepted INTEGER NOT NULL,
  notice_due_at INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Resumable uploads. The bytes received so far are the file files/tmp/<id>.upload. `creator` is
-- who may continue it.
CREATE TABLE resumable_uploads (
  id TEXT PRIMARY KEY,
  creator TEXT NOT NULL,
  quote_id TEXT,
  bucket_id TEXT NOT NULL,
  name TEXT NOT NULL,
  length INTEGER NOT NULL,
  upsert INTEGER NOT NULL CHECK (upsert IN (0, 1)),
  owner TEXT,
  metadata TEXT NOT NULL,
  finished INTEGER NOT NULL DEFAULT 0 CHECK (finished IN (0, 1)),
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX resumable_uploads_by_time ON resumable_uploads (expires_at);
CREATE INDEX resumable_uploads_by_quote ON resumable_uploads (quote_id);

-- The files of a quote end with it. Their keys begin with its id; '0' is the character after '/'.
CREATE TRIGGER quotes_files_removed AFTER DELETE ON quotes BEGIN
  DELETE FROM objects WHERE bucket_id = 'quotes' AND name > old.id || '/' AND name < old.id || '0';
  DELETE FROM resumable_uploads
    WHERE quote_id = old.id
      OR (bucket_id = 'quotes' AND name > old.id || '/' AND name < old.id || '0');
  DELETE FROM quote_uploads WHERE quote_id = old.id;
END;

-- Bytes of visitors' files taken on a day (UTC), by the keyed hash of a client or of its IPv6 /48,
-- and in all, under an empty name.
CREATE TABLE upload_bytes (
  day TEXT NOT NULL,
  sender TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (day, sender)
) STRICT, WITHOUT ROWID;

-- Files that an admin has removed from a quote, until the removal can no longer be undone. `event`
-- is the removal in the history; `object` is the row of `objects` as JSON.
CREATE TABLE removed_files (
  event INTEGER PRIMARY KEY,
  quote_id TEXT NOT NULL,
  removed_at TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  object TEXT NOT NULL
) STRICT;
CREATE INDEX removed_files_by_content ON removed_files (sha256);

CREATE TRIGGER removed_files_forgotten AFTER DELETE ON removed_files BEGIN
  INSERT OR IGNORE INTO released_contents VALUES (old.sha256);
END;

-- Contents for which the virus scanner gave no verdict: how often, and when the next try is due,
-- in milliseconds.
CREATE TABLE scan_tries (
  sha256 TEXT PRIMARY KEY,
  tries INTEGER NOT NULL,
  next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
