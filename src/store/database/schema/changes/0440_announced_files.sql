-- How many files the form of a quote has announced.
ALTER TABLE quote_uploads ADD COLUMN announced INTEGER NOT NULL DEFAULT 0;
