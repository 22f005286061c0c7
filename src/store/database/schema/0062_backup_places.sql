-- Every place into which a backup was made, by the schedule or by hand: `place` is the path of a folder
-- or s3://bucket/prefix, `backup` the last one made there, `sequence` its number in that place.
-- `inherited` is 1 in a restored database until it makes a backup there itself.
CREATE TABLE backup_places (
  place TEXT PRIMARY KEY,
  made_at TEXT NOT NULL,
  backup TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  proved_at TEXT,
  inherited INTEGER NOT NULL DEFAULT 0 CHECK (inherited IN (0, 1))
) STRICT, WITHOUT ROWID;
