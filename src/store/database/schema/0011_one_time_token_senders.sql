-- The password and metadata of a sign-up are stored with the token of its email, so that the link or
-- code that is used decides which apply. `sender` separates emails sent by an admin from requested ones:
-- a request replaces requested ones only. `user_id` is null for an address without an account, for which
-- the same rows are written.
CREATE TABLE tokens_by_sender (
  id INTEGER PRIMARY KEY,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  slot TEXT NOT NULL CHECK (slot IN ('confirmation', 'recovery', 'email_change_current', 'email_change_new', 'reauthentication')),
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

-- Set if an admin created, invited or promoted an unconfirmed account: sign-ups for it do not set a
-- password.
ALTER TABLE users ADD COLUMN admin_managed INTEGER NOT NULL DEFAULT 0 CHECK (admin_managed IN (0, 1));
UPDATE users SET admin_managed = 1 WHERE invited_at IS NOT NULL OR id IN (SELECT user_id FROM user_roles) OR id IN (SELECT subject_id FROM audit WHERE action = 'user_created');

INSERT INTO tokens_by_sender (user_id, slot, sender, kind, address, nonce, digest, flow_id, wrong, password_hash, user_metadata, created_at, expires_at)
  SELECT t.user_id, t.slot, iif(t.kind = 'invite', 'admin', 'request'), t.kind, t.address, t.nonce, t.digest, t.flow_id, t.wrong,
         iif(waits, u.password_hash, NULL), iif(waits, u.user_metadata, NULL), t.created_at, t.expires_at
  FROM (SELECT *, kind = 'signup' AND user_id IN (SELECT id FROM users WHERE email_confirmed_at IS NULL AND admin_managed = 0) AS waits FROM one_time_tokens) AS t
  JOIN users AS u ON u.id = t.user_id
  ORDER BY t.created_at;
DROP TABLE one_time_tokens;
ALTER TABLE tokens_by_sender RENAME TO one_time_tokens;
CREATE INDEX one_time_tokens_by_user ON one_time_tokens (user_id, slot);
CREATE INDEX one_time_tokens_by_address ON one_time_tokens (address, slot);

-- A password in an unconfirmed account is untrusted, unless an admin created the account and there was
-- no sign-up for it.
UPDATE users SET password_hash = NULL WHERE email IS NOT NULL AND email_confirmed_at IS NULL
  AND id NOT IN (SELECT subject_id FROM audit WHERE action = 'user_created' AND subject_id IS NOT NULL);
UPDATE users SET user_metadata = '{}' WHERE email IS NOT NULL AND email_confirmed_at IS NULL AND admin_managed = 0;

-- Decoy rows for requests that send no email, so that they take as long as the others; deleted soon.
CREATE TABLE decoys (id INTEGER PRIMARY KEY, due_at TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX decoys_due ON decoys (due_at);
CREATE TABLE decoy_user (sent_at TEXT) STRICT;
INSERT INTO decoy_user VALUES (NULL);
