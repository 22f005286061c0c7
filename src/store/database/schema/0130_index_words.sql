-- The server fills the index again: with a word in requests that need attention, and with the customer's
-- words in requests that are not held only.
INSERT INTO request_words (request_words) VALUES ('delete-all');
