-- The files of the data folder that belong to this database: a keyed fingerprint of each key file, so
-- that a start with missing or wrong keys fails; and the pictures of the media folder at the last start.
CREATE TABLE key_files (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE media_files (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
