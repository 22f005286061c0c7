-- Each quote for a known state gets a word more, of its state and its status; the server fills the index
-- again (`store::search_index::index_pending`).
INSERT INTO request_words (request_words) VALUES ('delete-all');
