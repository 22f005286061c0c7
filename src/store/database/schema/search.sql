-- The search index of requests, and what its results depend on.

-- The words of each request, keyed by its `seq` (`store::search::index`), without positions or a
-- copy of the text: a list of rows per word, read newest first.
CREATE VIRTUAL TABLE request_words USING fts5 (
  words, content = '', contentless_delete = 1, detail = none,
  tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO request_words (request_words, rank) VALUES ('automerge', 8);

-- A view of every word of the index, without storage of its own. Prefixes are looked up here
-- (`store::search::prefix`).
CREATE VIRTUAL TABLE request_words_each USING fts5vocab (request_words, instance);

-- Whether the customer of an indexed request has asked before changes if an earlier request is
-- held, released, changed or deleted, or comes in after the clock was set back. These changes are
-- counted: results stay the same until the next one.
CREATE TABLE asked_before_changes (changes INTEGER NOT NULL);
INSERT INTO asked_before_changes VALUES (0);

CREATE TRIGGER quotes_asked_before AFTER UPDATE OF held, email, phone ON quotes
WHEN new.seq <= (SELECT max(id) FROM request_words_docsize) BEGIN
  UPDATE asked_before_changes SET changes = changes + 1;
END;

CREATE TRIGGER messages_asked_before AFTER UPDATE OF held, email, phone ON contact_messages
WHEN new.seq <= (SELECT max(id) FROM request_words_docsize) BEGIN
  UPDATE asked_before_changes SET changes = changes + 1;
END;

CREATE TRIGGER quotes_not_asked_before AFTER DELETE ON quotes BEGIN
  UPDATE asked_before_changes SET changes = changes + 1;
END;

CREATE TRIGGER messages_not_asked_before AFTER DELETE ON contact_messages BEGIN
  UPDATE asked_before_changes SET changes = changes + 1;
END;
