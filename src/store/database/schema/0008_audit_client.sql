-- The keyed hash of the client's address. `subject_id` of a failed sign-in is a user's id, or the keyed
-- hash of the email address entered.
ALTER TABLE audit ADD COLUMN client TEXT;
