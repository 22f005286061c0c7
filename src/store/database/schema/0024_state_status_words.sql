-- Each quote for a known state gets a word more, of its state and its status; the server fills the index
-- again (`store::search::index::index_pending`).
INSERT INTO request_words (request_words) VALUES ('delete-all');

-- Segments of one size are merged when there are eight of them instead of four: requests of a busy hour are
-- merged less often.
INSERT INTO request_words (request_words, rank) VALUES ('automerge', 8);
