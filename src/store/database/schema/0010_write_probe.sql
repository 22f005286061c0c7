-- Written and deleted by `/readyz` (`store::database::health`): a write of the size of a post shows whether posts
-- can be stored.
CREATE TABLE write_probe (id INTEGER PRIMARY KEY CHECK (id = 1), content BLOB NOT NULL) STRICT;
