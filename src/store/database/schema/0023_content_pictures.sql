-- Pictures that the content names, cut and compressed, by a digest of their bytes.
CREATE TABLE content_pictures (
  name TEXT PRIMARY KEY,
  bytes BLOB NOT NULL,
  stored_at TEXT NOT NULL
) STRICT;
