-- What this database is: the mark that it leaves in buckets and places of backups, so that no other
-- database writes or deletes there. One that was restored from a backup (of the time `restored_from`)
-- has another mark than its predecessor, and is a drill until `drill_since` is empty.
-- `installation_mark` is a function of the program: it hashes the key, so that a database which an
-- older program migrates twice has the same mark again.
CREATE TABLE installation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  mark TEXT NOT NULL,
  predecessor TEXT,
  drill_since TEXT,
  restored_from TEXT
) STRICT;
INSERT INTO installation (id, mark) SELECT 1, installation_mark(key) FROM reference_key LIMIT 1;
