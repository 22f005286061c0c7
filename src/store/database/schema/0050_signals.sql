-- `signals` is a JSON array of the signals of spam of a request that is not held, or was released.
ALTER TABLE quotes ADD COLUMN signals TEXT;
ALTER TABLE contact_messages ADD COLUMN signals TEXT;
