-- How the desk works on requests: escalations, filters, templates and drafts.

-- Up to which request overdue ones were looked for, by kind and step: a `seq`, or for
-- `looked_again` the id of an event (`store::inbox::escalations`).
CREATE TABLE escalations (scan TEXT PRIMARY KEY, up_to INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Named filters of the inbox: `query` is the query string of the address. A shared one is listed
-- for all.
CREATE TABLE inbox_filters (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
  created_at TEXT NOT NULL,
  UNIQUE (owner, name)
) STRICT, WITHOUT ROWID;

-- Templates of replies that admins have written, beside those of the program. The shared ones of a
-- deleted account stay, without an owner.
CREATE TABLE reply_templates (
  id TEXT PRIMARY KEY,
  owner TEXT REFERENCES users (id) ON DELETE SET NULL,
  title TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (owner, title)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER own_templates_deleted BEFORE DELETE ON users BEGIN
  DELETE FROM reply_templates WHERE owner = old.id AND shared = 0;
END;

-- What an admin has typed into a form about a request and not sent yet: `fields` is a JSON object
-- of texts by the fields' names.
CREATE TABLE request_drafts (
  owner TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  form TEXT NOT NULL,
  fields TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (owner, seq, form)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_drafts_by_request ON request_drafts (seq);
