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
  behind_since TEXT,
  scheduled_at TEXT
) STRICT, WITHOUT ROWID;

-- The last run of each maintenance job (backup, proof of the backup, retention): `detail` is its
-- result or its error, `told_at` when the office was last notified that it fails.
CREATE TABLE maintenance (
  job TEXT PRIMARY KEY,
  ran_at TEXT NOT NULL,
  ok INTEGER NOT NULL CHECK (ok IN (0, 1)),
  succeeded_at TEXT,
  seconds REAL NOT NULL,
  detail TEXT NOT NULL,
  told_at TEXT
) STRICT, WITHOUT ROWID;

-- Written and deleted by `/readyz` (`store::database::health`): a write of the size of a post
-- shows whether posts can be stored.
CREATE TABLE write_probe (id INTEGER PRIMARY KEY CHECK (id = 1), content BLOB NOT NULL) STRICT;
