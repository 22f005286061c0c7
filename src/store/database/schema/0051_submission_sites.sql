-- `site` is the keyed hash of the IPv6 /48 of the client, whose clients share a limit of their own.
ALTER TABLE submissions ADD COLUMN site TEXT;
