-- The search index of requests.

-- The words of each request, keyed by its `seq` (`store::search::index`), without positions or a
-- copy of the text: a list of rows per word and per beginning of one, read newest first.
CREATE VIRTUAL TABLE request_words USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, prefix = '2 3',
  tokenize = 'unicode61 remove_diacritics 2'
);

-- A view of every word of the index, without storage of its own (`store::search::nearest`).
CREATE VIRTUAL TABLE request_words_each USING fts5vocab (request_words, instance);
