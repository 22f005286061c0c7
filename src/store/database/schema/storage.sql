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

-- How many files visitors have added to a quote, how many of their pictures could not be read, how
-- many files the form has announced, and when the last email about them is due, in milliseconds.
-- Removing a file gives no place back.
CREATE TABLE quote_uploads (
  quote_id TEXT PRIMARY KEY,
  accepted INTEGER NOT NULL,
  notice_due_at INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  announced INTEGER NOT NULL DEFAULT 0
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
