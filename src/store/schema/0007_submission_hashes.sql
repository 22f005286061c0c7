-- Submissions are found from memory (`store::recent`), filled from this table: an index is a page more for each post.
DROP INDEX submissions_by_key;
DROP INDEX submissions_by_client;
