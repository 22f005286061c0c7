-- Every word of the search index, as a view of it: nothing is stored. An unfinished word is looked up here first (`store::beginnings`).
CREATE VIRTUAL TABLE quote_words_each USING fts5vocab (quote_words, instance);
