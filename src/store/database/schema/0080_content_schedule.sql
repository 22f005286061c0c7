-- Drafts of the site's content that are published at a time: a section each. `scheduled_by` is a
-- user's id; `refused` is why the publication failed, after which it is not tried again.
CREATE TABLE content_schedule (
  section TEXT PRIMARY KEY REFERENCES content_drafts (section) ON DELETE CASCADE,
  at TEXT NOT NULL,
  scheduled_by TEXT NOT NULL,
  refused TEXT
) STRICT;
