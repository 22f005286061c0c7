-- Who may sign in, and as what. Times are fixed-width RFC 3339 UTC text; ids are UUIDv7 text.
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT UNIQUE,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
