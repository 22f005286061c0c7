-- One index for all lists and counts, in place of one for each list and of counters that triggers
-- keep. The number of which the next reference is made is that of the newest request.
DROP TRIGGER requests_counted;
DROP TRIGGER requests_uncounted;
DROP TRIGGER requests_recounted;
DROP TRIGGER requests_removed;
DROP INDEX requests_by_status;
DROP INDEX requests_by_state;
DROP INDEX requests_by_service;
DROP INDEX requests_by_campaign;
DROP INDEX requests_by_assignee;
DROP INDEX requests_by_outcome;
DROP INDEX requests_by_reason;
DROP INDEX requests_by_answerer;
DROP INDEX requests_unsettled;
DROP INDEX requests_attention;
DROP INDEX requests_unread;
DROP INDEX requests_due;
DROP INDEX requests_by_number;
ALTER TABLE requests DROP COLUMN assigned;
ALTER TABLE requests ADD COLUMN ordinal INTEGER;
ALTER TABLE reference_key ADD COLUMN issued INTEGER NOT NULL DEFAULT 0;
UPDATE reference_key SET issued = (SELECT requests FROM request_counts WHERE kind = 'number');
DROP TABLE request_counts;
DROP TABLE property_counts;

-- The requests of the lists in the order of receipt, with all columns that filters, orders and
-- counts read: they are passed over without reading their rows.
CREATE INDEX requests_listed
  ON requests (seq, attention, open, answered, emergency_contact, unanswered, status, kind, unread,
    follow_up_due, outcome_cents, start_date, state, service, follow_up_at, outcome, won_at,
    outcome_per, outcome_reason, answer_minutes, origin_source, origin_campaign,
    origin_entry_page, assignee, answered_by, follow_up_by)
  WHERE hidden = 0;
-- Open requests of each assignee.
CREATE INDEX requests_of_assignee ON requests (assignee)
  WHERE hidden = 0 AND open = 1 AND assignee IS NOT NULL;

CREATE TRIGGER requests_removed AFTER DELETE ON requests BEGIN
  DELETE FROM request_drafts WHERE seq = old.seq;
  DELETE FROM received_emails WHERE seq = old.seq;
  DELETE FROM objects
    WHERE bucket_id IN ('quotes', 'mail') AND name > old.id || '/' AND name < old.id || '0';
  DELETE FROM resumable_uploads
    WHERE quote_id = old.id
      OR (bucket_id = 'quotes' AND name > old.id || '/' AND name < old.id || '0');
  DELETE FROM quote_uploads WHERE quote_id = old.id;
  UPDATE reference_key SET issued = old.ordinal WHERE issued < old.ordinal;
END;

-- The words are indexed again, with their beginnings.
DROP TABLE request_words_each;
DROP TABLE request_words;
CREATE VIRTUAL TABLE request_words USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, prefix = '2 3',
  tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE request_words_each USING fts5vocab (request_words, instance);

-- Submissions are found by their entries.
ALTER TABLE submissions RENAME TO earlier_submissions;
CREATE TABLE submissions (
  form TEXT NOT NULL,
  client TEXT NOT NULL,
  entry TEXT NOT NULL,
  at INTEGER NOT NULL,
  until INTEGER NOT NULL,
  subject_id TEXT NOT NULL,
  fingerprint TEXT,
  reference TEXT,
  PRIMARY KEY (form, client, entry, at)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO submissions
  SELECT form, client, '=' || coalesce(key, fingerprint), at, at + 86400000, subject_id,
    fingerprint, reference FROM earlier_submissions WHERE client <> '';
INSERT OR IGNORE INTO submissions
  SELECT form, client, printf('#%012d', row_number() OVER (PARTITION BY form, client ORDER BY at)),
    at, at + 86400000, subject_id, NULL, NULL
  FROM (SELECT form, client, at, subject_id FROM earlier_submissions WHERE client <> ''
    UNION ALL SELECT form, site, at, subject_id FROM earlier_submissions WHERE site IS NOT NULL);
DROP TABLE earlier_submissions;
