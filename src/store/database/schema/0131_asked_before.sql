-- Whether the customer of an indexed request has asked before changes if an earlier request is
-- held, released, changed or deleted, or comes in after the clock was set back
-- (`store/search/index.rs`). These changes are counted: results stay the same until the next one.
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

-- After the clock was set back, spam and requests by phone were indexed before they were held or
-- marked as answered. The server fills the index again.
INSERT INTO request_words (request_words) VALUES ('delete-all');
