-- One call, text message, push or email names all alarms of its kind that wait. `named_at` is when it was
-- first claimed, `through` the newest alarm and `named` the number of alarms that it names; the messages
-- that it stands for have its id in `named_by`. `ended_at` is when a call ended.
ALTER TABLE alarm_messages ADD COLUMN named_at TEXT;
ALTER TABLE alarm_messages ADD COLUMN through INTEGER;
ALTER TABLE alarm_messages ADD COLUMN named INTEGER;
ALTER TABLE alarm_messages ADD COLUMN named_by INTEGER;
ALTER TABLE alarm_messages ADD COLUMN ended_at TEXT;
CREATE INDEX alarm_messages_named ON alarm_messages (channel, named_at) WHERE named_at IS NOT NULL;
CREATE INDEX alarm_messages_named_by ON alarm_messages (named_by) WHERE named_by IS NOT NULL;
CREATE INDEX alarm_messages_by_event ON alarm_messages (event) WHERE event IS NOT NULL;
-- An emergency with signals of spam makes no calls and no text messages.
ALTER TABLE alarms ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0 CHECK (quiet IN (0, 1));
-- Keys of calls and text messages of people that were acted on: the provider may repeat them.
CREATE TABLE phone_callbacks (
  id TEXT PRIMARY KEY,
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
