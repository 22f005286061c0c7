-- How an admin is named to colleagues and customers, and the end of their replies.
ALTER TABLE users ADD COLUMN display_name TEXT;
ALTER TABLE users ADD COLUMN signature TEXT;
