-- A view of every word of the search index, without storage of its own. Prefixes are looked up here
-- (`store::search::prefix`).
CREATE VIRTUAL TABLE quote_words_each USING fts5vocab (quote_words, instance);
