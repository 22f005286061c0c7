-- What offers are made with: published versions as JSON, which never change, and the draft of the next.
-- Without a version the sample of the program is shown.
CREATE TABLE rate_versions (
  version INTEGER PRIMARY KEY,
  rates TEXT NOT NULL,
  published_at TEXT NOT NULL,
  published_by TEXT NOT NULL
) STRICT;
CREATE TRIGGER rate_versions_never_change BEFORE UPDATE ON rate_versions BEGIN
  SELECT RAISE(ABORT, 'published rates never change');
END;
CREATE TABLE rate_draft (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  rates TEXT NOT NULL,
  saved_at TEXT NOT NULL,
  saved_by TEXT NOT NULL
) STRICT;
