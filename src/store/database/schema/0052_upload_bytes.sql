-- Bytes of visitors' files taken on a day (UTC), by the keyed hash of a client or of its IPv6 /48,
-- and in all, under an empty name.
CREATE TABLE upload_bytes (
    day TEXT NOT NULL,
    sender TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (day, sender)
) STRICT, WITHOUT ROWID;
