-- The site's content: versions, drafts, pictures, and clicks on phone links.

-- The site's content. A version holds the sections that differ from the shipped ones, as JSON by
-- key, and the days on which pages changed, by path; `published_by` is a user's id, null for a
-- command.
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

-- Pictures that the content names, cut and compressed, by a digest of their bytes.
CREATE TABLE content_pictures (
  name TEXT PRIMARY KEY,
  bytes BLOB NOT NULL,
  stored_at TEXT NOT NULL
) STRICT;

-- What is being edited: a section each. `number` counts its changes.
CREATE TABLE content_drafts (
  section TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  value TEXT NOT NULL,
  saved_at TEXT NOT NULL,
  saved_by TEXT NOT NULL
) STRICT;

-- Drafts of the site's content that are published at a time: a section each. `scheduled_by` is a
-- user's id; `refused` is why the publication failed, after which it is not tried again.
CREATE TABLE content_schedule (
  section TEXT PRIMARY KEY REFERENCES content_drafts (section) ON DELETE CASCADE,
  at TEXT NOT NULL,
  scheduled_by TEXT NOT NULL,
  refused TEXT
) STRICT;

-- Warnings of expiring licenses that were queued: by state, last valid day and the step in days.
CREATE TABLE license_warnings (
  state TEXT NOT NULL,
  expires TEXT NOT NULL,
  step INTEGER NOT NULL,
  queued_at TEXT NOT NULL,
  PRIMARY KEY (state, expires, step)
) STRICT, WITHOUT ROWID;

-- Clicks on phone links by day and page, without data about the visitor.
CREATE TABLE taps (
  day TEXT NOT NULL,
  page TEXT NOT NULL,
  taps INTEGER NOT NULL,
  PRIMARY KEY (day, page)
) STRICT, WITHOUT ROWID;
