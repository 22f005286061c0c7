-- Files that wait for their virus scan.
CREATE INDEX objects_to_scan ON objects (sha256) WHERE scan = 'scanning';
