-- What somebody has typed into a form about a request and not sent yet: `fields` is a JSON object of
-- texts by the fields' names.
CREATE TABLE request_drafts (
  owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  form TEXT NOT NULL,
  fields TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (owner, seq, form)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_drafts_by_request ON request_drafts (seq);
CREATE TRIGGER quotes_drafts_removed AFTER DELETE ON quotes BEGIN
  DELETE FROM request_drafts WHERE seq = old.seq;
END;
CREATE TRIGGER messages_drafts_removed AFTER DELETE ON contact_messages BEGIN
  DELETE FROM request_drafts WHERE seq = old.seq;
END;

-- Files that an admin has removed from a quote, until the removal can no longer be undone. `event` is
-- the removal in the history; `object` is the row of `objects` as JSON.
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

-- The texts of deleted notes, which are kept for as long as the deletion can be undone.
CREATE INDEX deleted_notes ON events (id) WHERE verb = 'note_deleted';
