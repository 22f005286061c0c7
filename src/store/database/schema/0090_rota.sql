-- The rota. `rota` has one row: the number of weeks in the cycle, a day in its first week, a number that
-- grows with each change, and one that is part of the calendar's address. Minutes are those of the day.
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
