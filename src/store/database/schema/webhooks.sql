-- Webhooks.

-- Other systems that are notified of requests. `events` is a JSON array; `secret` and `old_secret`,
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
