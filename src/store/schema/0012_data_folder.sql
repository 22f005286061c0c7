-- What belongs to this database in the data folder. A keyed fingerprint of each key file, so that a start without the
-- keys, or with those of another database, is refused; and the pictures of the media folder at the last start.
CREATE TABLE key_files (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE media_files (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
