-- Several emails an hour may acknowledge requests of an address: to which address, when each is due,
-- and its id in `outbox`.
DROP TABLE acknowledged;
CREATE TABLE acknowledged (
  address TEXT NOT NULL,
  at TEXT NOT NULL,
  email INTEGER NOT NULL,
  PRIMARY KEY (address, at)
) STRICT, WITHOUT ROWID;
