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
-- the request by a person acknowledges it. A `quiet` one, of an emergency with signals of spam,
-- makes no calls and no text messages.
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

-- What is sent to a person by one way in one step: never twice. `device` is that of a push; `event`
-- records the outcome in the history of the request; `told_next` is set once another way stands in
-- for this one. One call, text message, push or email names all alarms of its kind that wait:
-- `named_at` is when it was first claimed, `through` the newest alarm and `named` the number of
-- alarms that it names; the messages that it stands for have its id in `named_by`. `ended_at` is
-- when a call ended.
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

-- Keys of calls and text messages of people that were acted on: the provider may repeat them.
CREATE TABLE phone_callbacks (
  id TEXT PRIMARY KEY,
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
