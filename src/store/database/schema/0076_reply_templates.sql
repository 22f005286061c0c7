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
