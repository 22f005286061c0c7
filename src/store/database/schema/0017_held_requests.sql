-- The requests that are held as spam, few among many: no other request is in these indexes.
CREATE INDEX quotes_held ON quotes (seq) WHERE held IS NOT NULL;
CREATE INDEX messages_held ON contact_messages (seq) WHERE held IS NOT NULL;
