-- A user has one role: `admin`, or `dispatcher`, who works on requests only (`domain::account::Role`).
CREATE TABLE user_roles_with_dispatchers (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('admin', 'dispatcher')),
  created_at TEXT NOT NULL,
  PRIMARY KEY (user_id, role)
) STRICT, WITHOUT ROWID;
INSERT INTO user_roles_with_dispatchers SELECT user_id, role, created_at FROM user_roles;
DROP TABLE user_roles;
ALTER TABLE user_roles_with_dispatchers RENAME TO user_roles;
