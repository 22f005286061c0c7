-- Figures: what happened on each day, as counts.

-- The counts of a day on the company's clock, made of the rows of that day. `dimension` is by what
-- is counted, as `service`, with a `value`; `all` has an empty one.
CREATE TABLE figures_days (
  day TEXT NOT NULL,
  dimension TEXT NOT NULL,
  measure TEXT NOT NULL,
  value TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (day, dimension, measure, value)
) STRICT, WITHOUT ROWID;

-- The same of rows that were erased or deleted: each count by one dimension only.
CREATE TABLE figures_kept (
  day TEXT NOT NULL,
  dimension TEXT NOT NULL,
  measure TEXT NOT NULL,
  value TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (day, dimension, measure, value)
) STRICT, WITHOUT ROWID;

-- Hours (since 1970, in UTC) in whose days something has changed since the days were counted.
CREATE TABLE figures_stale (hour INTEGER PRIMARY KEY) STRICT;

-- The time zone whose days are counted.
CREATE TABLE figures_time_zone (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL) STRICT;

-- Views of pages, by where they came from.
CREATE TABLE page_views (
  day TEXT NOT NULL,
  page TEXT NOT NULL,
  source TEXT NOT NULL,
  views INTEGER NOT NULL,
  PRIMARY KEY (day, page, source)
) STRICT, WITHOUT ROWID;

-- Views that a campaign led to, by its name.
CREATE TABLE campaign_views (
  day TEXT NOT NULL,
  campaign TEXT NOT NULL,
  views INTEGER NOT NULL,
  PRIMARY KEY (day, campaign)
) STRICT, WITHOUT ROWID;

-- Forms that visitors have begun to fill in, by their page.
CREATE TABLE forms_begun (
  day TEXT NOT NULL,
  page TEXT NOT NULL,
  begun INTEGER NOT NULL,
  PRIMARY KEY (day, page)
) STRICT, WITHOUT ROWID;

-- Offers count on the day of their first version.
CREATE INDEX offer_states_by_day ON offer_states (sent_at);

-- Samples, none among real requests.
CREATE INDEX requests_demo ON requests (seq) WHERE demo = 1;

-- A `seq` is a time in milliseconds times 16.
CREATE TRIGGER requests_figures_added AFTER INSERT ON requests BEGIN
  INSERT OR IGNORE INTO figures_stale VALUES (new.seq / 57600000);
END;
CREATE TRIGGER requests_figures_changed AFTER UPDATE OF kind, status, source, demo, service,
  location, emergency_contact, attribution, answered_at, outcome, outcome_reason, outcome_cents,
  outcome_per, held, merged_into ON requests BEGIN
  INSERT OR IGNORE INTO figures_stale VALUES (new.seq / 57600000);
END;
CREATE TRIGGER requests_figures_removed AFTER DELETE ON requests BEGIN
  INSERT OR IGNORE INTO figures_stale VALUES (old.seq / 57600000);
END;
CREATE TRIGGER offers_figures_added AFTER INSERT ON offer_states BEGIN
  INSERT OR IGNORE INTO figures_stale
    SELECT CAST(strftime('%s', sent_at) AS INTEGER) / 3600
    FROM offer_states WHERE number = new.number;
END;
CREATE TRIGGER offers_figures_changed AFTER UPDATE OF state, total_cents, is_weekly, opened_at
ON offer_states BEGIN
  INSERT OR IGNORE INTO figures_stale
    SELECT CAST(strftime('%s', sent_at) AS INTEGER) / 3600
    FROM offer_states WHERE number = new.number;
END;
CREATE TRIGGER offers_figures_removed AFTER DELETE ON offer_states BEGIN
  INSERT OR IGNORE INTO figures_stale
    SELECT CAST(strftime('%s', sent_at) AS INTEGER) / 3600
    FROM offer_states WHERE number = old.number
    UNION SELECT CAST(strftime('%s', old.sent_at) AS INTEGER) / 3600;
END;
