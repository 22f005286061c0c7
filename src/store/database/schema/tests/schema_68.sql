-- The schema of the build of November 28, 2026 (`user_version` 68), the oldest that is migrated.

CREATE TABLE installation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  mark TEXT NOT NULL,
  predecessor TEXT,
  drill_since TEXT,
  restored_from TEXT
) STRICT;
CREATE TABLE key_files (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE media_files (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE backup_places (
  place TEXT PRIMARY KEY,
  made_at TEXT NOT NULL,
  backup TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  proved_at TEXT,
  inherited INTEGER NOT NULL DEFAULT 0 CHECK (inherited IN (0, 1)),
  behind_since TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE maintenance (
  job TEXT PRIMARY KEY,
  ran_at TEXT NOT NULL,
  ok INTEGER NOT NULL CHECK (ok IN (0, 1)),
  succeeded_at TEXT,
  seconds REAL NOT NULL,
  detail TEXT NOT NULL,
  told_at TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE job_requests (
  job TEXT PRIMARY KEY,
  requested_at TEXT NOT NULL,
  taken_at TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE write_probe (id INTEGER PRIMARY KEY CHECK (id = 1), content BLOB NOT NULL) STRICT;
CREATE TABLE unfinished_work (
  kind TEXT NOT NULL,
  item TEXT NOT NULL,
  tries INTEGER NOT NULL,
  running INTEGER NOT NULL CHECK (running IN (0, 1)),
  began_at TEXT NOT NULL,
  PRIMARY KEY (kind, item)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE user_roles (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('admin', 'dispatcher')),
  created_at TEXT NOT NULL,
  PRIMARY KEY (user_id, role)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE refreshes (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  counter INTEGER NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (session_id, counter)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE known_clients (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  PRIMARY KEY (user_id, client)
) STRICT, WITHOUT ROWID;
CREATE TABLE buckets (bucket TEXT PRIMARY KEY, full_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX buckets_by_time ON buckets (full_at);
CREATE TABLE spent (digest TEXT PRIMARY KEY, expires_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX spent_by_time ON spent (expires_at);
CREATE TABLE decoys (id INTEGER PRIMARY KEY, due_at TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX decoys_due ON decoys (due_at);
CREATE TABLE decoy_user (sent_at TEXT) STRICT;
INSERT INTO decoy_user VALUES (NULL);
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
CREATE TABLE reference_key (key BLOB NOT NULL) STRICT;
INSERT INTO reference_key VALUES (randomblob(16));
INSERT INTO installation (id, mark) SELECT 1, lower(hex(randomblob(16)));
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
  assigned INTEGER AS (assignee IS NOT NULL) VIRTUAL,
  answer_minutes INTEGER AS (
    (CAST(round(unixepoch(answered_at, 'subsec') * 1000) AS INTEGER) - seq / 16) / 60000) VIRTUAL,
  origin_source TEXT NOT NULL DEFAULT 'direct',
  origin_campaign TEXT NOT NULL DEFAULT '',
  origin_entry_page TEXT NOT NULL DEFAULT '',
  answered_by TEXT,
  CHECK (kind = 'message' OR
    (location IS NOT NULL AND start_date IS NOT NULL AND duration IS NOT NULL))
) STRICT;
CREATE VIEW quotes AS
  SELECT id, created_at, first_name, last_name, email, phone, company, service AS service_type,
    duration, start_date, location, description, status, emergency_contact
  FROM requests WHERE kind = 'quote' AND held IS NULL;
CREATE VIEW contact_messages AS
  SELECT id, created_at, first_name, last_name, email, phone, company, service,
    description AS details, status
  FROM requests WHERE kind = 'message' AND held IS NULL;
CREATE TABLE old_request_ids (id TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX requests_held ON requests (seq) WHERE held IS NOT NULL;
CREATE INDEX requests_waiting ON requests (follow_up_at)
  WHERE follow_up_at IS NOT NULL AND follow_up_due = 0;
CREATE INDEX requests_merged ON requests (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX requests_unanswered ON requests (unanswered) WHERE unanswered IS NOT NULL;
CREATE INDEX requests_by_status
  ON requests (kind, status, seq, emergency_contact, answered, assigned, answer_minutes,
    origin_source, origin_campaign, origin_entry_page)
  WHERE hidden = 0;
CREATE INDEX requests_by_state
  ON requests (state, kind, status, seq, service, outcome, emergency_contact, assigned,
    origin_source)
  WHERE hidden = 0 AND state IS NOT NULL;
CREATE INDEX requests_by_service
  ON requests (service, kind, status, seq, outcome, emergency_contact, assigned, origin_source)
  WHERE hidden = 0;
CREATE INDEX requests_by_campaign
  ON requests (origin_campaign, kind, status, seq, state, service, outcome, emergency_contact,
    origin_source)
  WHERE hidden = 0 AND origin_campaign <> '';
CREATE INDEX requests_by_assignee
  ON requests (assignee, kind, status, seq, state, service, outcome, emergency_contact, answered)
  WHERE hidden = 0 AND assignee IS NOT NULL;
CREATE INDEX requests_by_outcome
  ON requests (outcome, kind, status, seq, state, service, emergency_contact, outcome_cents,
    outcome_per)
  WHERE hidden = 0 AND outcome IS NOT NULL;
CREATE INDEX requests_by_reason
  ON requests (coalesce(outcome_reason, ''), kind, status, seq, emergency_contact)
  WHERE hidden = 0 AND outcome = 'lost';
CREATE INDEX requests_by_answerer
  ON requests (answered_by, kind, status, seq, emergency_contact)
  WHERE hidden = 0 AND answered_by IS NOT NULL;
CREATE INDEX requests_unsettled
  ON requests (emergency_contact, status, seq, attention, answered, state, service, kind,
    assignee)
  WHERE hidden = 0 AND open = 1 AND answered_at IS NULL;
CREATE INDEX requests_attention
  ON requests (seq, emergency_contact, state, service, kind, status, assignee)
  WHERE hidden = 0 AND attention = 1 AND answered_at IS NOT NULL;
CREATE INDEX requests_unread ON requests (seq) WHERE hidden = 0 AND unread = 1;
CREATE INDEX requests_due ON requests (seq) WHERE hidden = 0 AND follow_up_due = 1;
CREATE INDEX requests_by_email ON requests (email COLLATE NOCASE, seq);
CREATE INDEX requests_by_number ON requests (number, seq) WHERE number IS NOT NULL;
CREATE TRIGGER requests_removed AFTER DELETE ON requests BEGIN
  DELETE FROM request_drafts WHERE seq = old.seq;
  DELETE FROM received_emails WHERE seq = old.seq;
  DELETE FROM objects
    WHERE bucket_id IN ('quotes', 'mail') AND name > old.id || '/' AND name < old.id || '0';
  DELETE FROM resumable_uploads
    WHERE quote_id = old.id
      OR (bucket_id = 'quotes' AND name > old.id || '/' AND name < old.id || '0');
  DELETE FROM quote_uploads WHERE quote_id = old.id;
END;
CREATE TABLE request_counts (
  period INTEGER NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  hidden INTEGER NOT NULL,
  attention INTEGER NOT NULL,
  answered INTEGER NOT NULL,
  emergency_contact INTEGER NOT NULL,
  assigned INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (period, kind, status, hidden, attention, answered, emergency_contact, assigned)
) STRICT, WITHOUT ROWID;
INSERT INTO request_counts VALUES (0, 'number', '', -1, 0, 0, 0, 0, 0);
CREATE TABLE property_counts (
  state TEXT NOT NULL,
  service TEXT NOT NULL,
  outcome TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  hidden INTEGER NOT NULL,
  emergency_contact INTEGER NOT NULL,
  assigned INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (state, service, outcome, kind, status, hidden, emergency_contact, assigned)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER requests_counted AFTER INSERT ON requests BEGIN
  INSERT INTO request_counts VALUES (new.seq / 41472000000, new.kind, new.status, new.hidden,
      new.attention, new.answered, new.emergency_contact, new.assigned, 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
  INSERT INTO property_counts VALUES (coalesce(new.state, ''), new.service,
      coalesce(new.outcome, ''), new.kind, new.status, new.hidden, new.emergency_contact,
      new.assigned, 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
CREATE TRIGGER requests_uncounted AFTER DELETE ON requests BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE period = old.seq / 41472000000 AND kind = old.kind AND status = old.status
      AND hidden = old.hidden AND attention = old.attention AND answered = old.answered
      AND emergency_contact = old.emergency_contact AND assigned = old.assigned;
  UPDATE property_counts SET requests = requests - 1
    WHERE state = coalesce(old.state, '') AND service = old.service
      AND outcome = coalesce(old.outcome, '') AND kind = old.kind AND status = old.status
      AND hidden = old.hidden AND emergency_contact = old.emergency_contact
      AND assigned = old.assigned;
END;
CREATE TRIGGER requests_recounted AFTER UPDATE OF
  kind, status, source, held, merged_into, answered_at, failed_reply, unanswered, unread,
  follow_up_at, follow_up_due, emergency_contact, assignee, service, state, outcome
ON requests BEGIN
  UPDATE request_counts SET requests = requests - 1
    WHERE period = old.seq / 41472000000 AND kind = old.kind AND status = old.status
      AND hidden = old.hidden AND attention = old.attention AND answered = old.answered
      AND emergency_contact = old.emergency_contact AND assigned = old.assigned;
  INSERT INTO request_counts VALUES (new.seq / 41472000000, new.kind, new.status, new.hidden,
      new.attention, new.answered, new.emergency_contact, new.assigned, 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
  UPDATE property_counts SET requests = requests - 1
    WHERE state = coalesce(old.state, '') AND service = old.service
      AND outcome = coalesce(old.outcome, '') AND kind = old.kind AND status = old.status
      AND hidden = old.hidden AND emergency_contact = old.emergency_contact
      AND assigned = old.assigned;
  INSERT INTO property_counts VALUES (coalesce(new.state, ''), new.service,
      coalesce(new.outcome, ''), new.kind, new.status, new.hidden, new.emergency_contact,
      new.assigned, 1)
    ON CONFLICT DO UPDATE SET requests = requests + 1;
END;
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
CREATE INDEX events_by_email ON events (detail ->> 'email_id')
  WHERE verb IN ('replied', 'emailed', 'offer_sent');
CREATE INDEX deleted_notes ON events (id) WHERE verb = 'note_deleted';
CREATE TRIGGER requests_answered AFTER UPDATE OF answered_at ON requests
WHEN new.answered_at IS NOT old.answered_at BEGIN
  UPDATE requests SET answered_by = iif(answered_at IS NULL, NULL, coalesce(
      (SELECT actor FROM events WHERE events.seq = new.seq
         AND (verb = 'called' AND at = new.answered_at
           OR verb IN ('replied', 'offer_sent') AND detail ->> 'at' = new.answered_at)
       ORDER BY id LIMIT 1), ''))
    WHERE seq = new.seq;
END;
CREATE TABLE escalations (scan TEXT PRIMARY KEY, up_to INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE inbox_filters (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
  created_at TEXT NOT NULL,
  UNIQUE (owner, name)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE request_drafts (
  owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  form TEXT NOT NULL,
  fields TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (owner, seq, form)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_drafts_by_request ON request_drafts (seq);
CREATE VIRTUAL TABLE request_words USING fts5 (
  words, content = '', contentless_delete = 1, detail = none,
  tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO request_words (request_words, rank) VALUES ('automerge', 8);
CREATE VIRTUAL TABLE request_words_each USING fts5vocab (request_words, instance);
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
CREATE INDEX outbox_leased ON outbox (lease) WHERE lease IS NOT NULL;
CREATE INDEX outbox_failed ON outbox (id) WHERE state = 'failed';
CREATE TABLE acknowledged (address TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT, WITHOUT ROWID;
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
CREATE TRIGGER received_emails_files_removed AFTER DELETE ON received_emails BEGIN
  DELETE FROM objects WHERE bucket_id = 'mail' AND name > old.id || '/' AND name < old.id || '0';
END;
CREATE TABLE mailbox_positions (
  mailbox TEXT PRIMARY KEY,
  uid_validity INTEGER NOT NULL,
  last_uid INTEGER NOT NULL,
  read_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE mailbox_states (
  mailbox TEXT PRIMARY KEY,
  read_at TEXT,
  failing_since TEXT,
  error TEXT
) STRICT, WITHOUT ROWID;
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
CREATE TABLE offer_codes (
  number TEXT PRIMARY KEY,
  address TEXT NOT NULL,
  code TEXT NOT NULL,
  created_at TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  since TEXT NOT NULL,
  sent INTEGER NOT NULL
) STRICT;
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
  acknowledged_by TEXT,
  quiet INTEGER NOT NULL DEFAULT 0 CHECK (quiet IN (0, 1))
) STRICT;
CREATE INDEX alarms_due ON alarms (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX alarms_by_request ON alarms (seq) WHERE seq IS NOT NULL;
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
  named_at TEXT,
  through INTEGER,
  named INTEGER,
  named_by INTEGER,
  ended_at TEXT,
  UNIQUE (alarm, round, step, user_id, channel, device)
) STRICT;
CREATE INDEX alarm_messages_due ON alarm_messages (due_at) WHERE state = 'due';
CREATE INDEX alarm_messages_named ON alarm_messages (channel, named_at) WHERE named_at IS NOT NULL;
CREATE INDEX alarm_messages_named_by ON alarm_messages (named_by) WHERE named_by IS NOT NULL;
CREATE INDEX alarm_messages_by_event ON alarm_messages (event) WHERE event IS NOT NULL;
CREATE TABLE phone_callbacks (
  id TEXT PRIMARY KEY,
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
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
CREATE TABLE webhook_events (
  id INTEGER PRIMARY KEY,
  event TEXT NOT NULL,
  seq INTEGER,
  at TEXT,
  detail TEXT
) STRICT;
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
CREATE TRIGGER requests_announced AFTER INSERT ON requests
WHEN new.demo = 0 AND new.held IS NULL AND EXISTS (SELECT 1 FROM webhook_endpoints) BEGIN
  INSERT INTO webhook_events (event, seq) VALUES ('request.created', new.seq);
END;
CREATE TRIGGER requests_change_announced AFTER UPDATE OF status, assignee, answered_at, held
ON requests WHEN new.demo = 0 AND EXISTS (SELECT 1 FROM webhook_endpoints) BEGIN
  INSERT INTO webhook_events (event, seq) SELECT 'request.created', new.seq
    WHERE old.held IS NOT NULL AND new.held IS NULL AND old.held_at IS NULL;
  INSERT INTO webhook_events (event, seq) SELECT 'request.answered', new.seq
    WHERE old.answered_at IS NULL AND new.answered_at IS NOT NULL;
  INSERT INTO webhook_events (event, seq) SELECT 'request.changed', new.seq
    WHERE old.status IS NOT new.status OR old.assignee IS NOT new.assignee;
END;
CREATE TABLE content_versions (
  version INTEGER PRIMARY KEY,
  published_at TEXT NOT NULL,
  published_by TEXT,
  reason TEXT NOT NULL CHECK (reason IN ('publish', 'import', 'back')),
  sections TEXT NOT NULL,
  days TEXT NOT NULL
) STRICT;
CREATE TABLE content_pages (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  renderer TEXT NOT NULL,
  pages BLOB NOT NULL
) STRICT;
CREATE TABLE content_pictures (
  name TEXT PRIMARY KEY,
  bytes BLOB NOT NULL,
  stored_at TEXT NOT NULL
) STRICT;
CREATE TABLE content_drafts (
  section TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  value TEXT NOT NULL,
  saved_at TEXT NOT NULL,
  saved_by TEXT NOT NULL
) STRICT;
CREATE TABLE content_schedule (
  section TEXT PRIMARY KEY REFERENCES content_drafts (section) ON DELETE CASCADE,
  at TEXT NOT NULL,
  scheduled_by TEXT NOT NULL,
  refused TEXT
) STRICT;
CREATE TABLE license_warnings (
  state TEXT NOT NULL,
  expires TEXT NOT NULL,
  step INTEGER NOT NULL,
  queued_at TEXT NOT NULL,
  PRIMARY KEY (state, expires, step)
) STRICT, WITHOUT ROWID;
CREATE TABLE taps (
  day TEXT NOT NULL,
  page TEXT NOT NULL,
  taps INTEGER NOT NULL,
  PRIMARY KEY (day, page)
) STRICT, WITHOUT ROWID;
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
CREATE INDEX objects_by_folded_key ON objects (bucket_id, lower(name));
CREATE INDEX objects_by_content ON objects (sha256);
CREATE INDEX objects_to_scan ON objects (sha256) WHERE scan = 'scanning';
CREATE TABLE released_contents (sha256 TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TRIGGER objects_removed AFTER DELETE ON objects BEGIN
  INSERT OR IGNORE INTO released_contents VALUES (old.sha256);
END;
CREATE TRIGGER objects_overwritten AFTER UPDATE OF sha256 ON objects
WHEN old.sha256 <> new.sha256 BEGIN
  INSERT OR IGNORE INTO released_contents VALUES (old.sha256);
END;
CREATE TABLE quote_uploads (
  quote_id TEXT PRIMARY KEY,
  accepted INTEGER NOT NULL,
  notice_due_at INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
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
CREATE TABLE upload_bytes (
  day TEXT NOT NULL,
  sender TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (day, sender)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE scan_tries (
  sha256 TEXT PRIMARY KEY,
  tries INTEGER NOT NULL,
  next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE figures_days (
  day TEXT NOT NULL,
  dimension TEXT NOT NULL,
  measure TEXT NOT NULL,
  value TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (day, dimension, measure, value)
) STRICT, WITHOUT ROWID;
CREATE TABLE figures_kept (
  day TEXT NOT NULL,
  dimension TEXT NOT NULL,
  measure TEXT NOT NULL,
  value TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (day, dimension, measure, value)
) STRICT, WITHOUT ROWID;
CREATE TABLE figures_stale (hour INTEGER PRIMARY KEY) STRICT;
CREATE TABLE figures_time_zone (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL) STRICT;
CREATE TABLE page_views (
  day TEXT NOT NULL,
  page TEXT NOT NULL,
  source TEXT NOT NULL,
  views INTEGER NOT NULL,
  PRIMARY KEY (day, page, source)
) STRICT, WITHOUT ROWID;
CREATE TABLE campaign_views (
  day TEXT NOT NULL,
  campaign TEXT NOT NULL,
  views INTEGER NOT NULL,
  PRIMARY KEY (day, campaign)
) STRICT, WITHOUT ROWID;
CREATE TABLE forms_begun (
  day TEXT NOT NULL,
  page TEXT NOT NULL,
  begun INTEGER NOT NULL,
  PRIMARY KEY (day, page)
) STRICT, WITHOUT ROWID;
CREATE INDEX offer_states_by_day ON offer_states (sent_at);
CREATE INDEX requests_demo ON requests (seq) WHERE demo = 1;
CREATE TRIGGER requests_figures_added AFTER INSERT ON requests BEGIN
  INSERT OR IGNORE INTO figures_stale VALUES (new.seq / 57600000);
END;
CREATE TRIGGER requests_figures_changed AFTER UPDATE OF kind, status, source, demo, service,
  location, emergency_contact, attribution, answered_at, outcome, outcome_reason, outcome_cents,
  outcome_per, held, merged_into ON requests BEGIN
  INSERT OR IGNORE INTO figures_stale VALUES (new.seq / 57600000);
END;
CREATE TRIGGER requests_figures_removed AFTER DELETE ON requests BEGIN
  INSERT OR IGNORE INTO figures_stale VALUES (old.seq / 57600000);
END;
CREATE TRIGGER offers_figures_added AFTER INSERT ON offer_states BEGIN
  INSERT OR IGNORE INTO figures_stale
    SELECT CAST(strftime('%s', sent_at) AS INTEGER) / 3600
    FROM offer_states WHERE number = new.number;
END;
CREATE TRIGGER offers_figures_changed AFTER UPDATE OF state, total_cents, is_weekly, opened_at
ON offer_states BEGIN
  INSERT OR IGNORE INTO figures_stale
    SELECT CAST(strftime('%s', sent_at) AS INTEGER) / 3600
    FROM offer_states WHERE number = new.number;
END;
CREATE TRIGGER offers_figures_removed AFTER DELETE ON offer_states BEGIN
  INSERT OR IGNORE INTO figures_stale
    SELECT CAST(strftime('%s', sent_at) AS INTEGER) / 3600
    FROM offer_states WHERE number = old.number
    UNION SELECT CAST(strftime('%s', old.sent_at) AS INTEGER) / 3600;
END;
