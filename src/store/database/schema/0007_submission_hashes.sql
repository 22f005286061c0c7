-- Submissions are found by an in-memory index (`store::submissions::index`), filled from this table: an
-- index on disk would add a page to each post.
DROP INDEX submissions_by_key;
DROP INDEX submissions_by_client;
