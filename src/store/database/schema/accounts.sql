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
