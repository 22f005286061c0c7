-- Lists by status are read from the search index, as those of messages are: every post wrote a
-- page of this one.
DROP INDEX quotes_by_status;
