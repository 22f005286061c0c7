-- How many pictures of a quote's visitor could not be read.
ALTER TABLE quote_uploads ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
