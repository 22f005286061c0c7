-- The site's content. A version holds the sections that differ from the shipped ones, as JSON by key,
-- and the days on which pages changed, by path; `published_by` is a user's id, null for a command.
CREATE TABLE content_versions (
  version INTEGER PRIMARY KEY,
  published_at TEXT NOT NULL,
  published_by TEXT,
  reason TEXT NOT NULL CHECK (reason IN ('publish', 'import', 'back')),
  sections TEXT NOT NULL,
  days TEXT NOT NULL
) STRICT;

-- The documents of the newest version whose body is not that of the build, compressed, and the
-- renderer that made them.
CREATE TABLE content_pages (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  renderer TEXT NOT NULL,
  pages BLOB NOT NULL
) STRICT;

-- What is being edited: a section each. `number` counts its changes.
CREATE TABLE content_drafts (
  section TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  value TEXT NOT NULL,
  saved_at TEXT NOT NULL,
  saved_by TEXT NOT NULL
) STRICT;
