-- Figures: what happened on each day, as counts.

-- The counts of rows that were erased or deleted, by day on the company's clock. `dimension` is by
-- what is counted, as `service`, with a `value`; `all` has an empty one. Each count is by one
-- dimension only.
CREATE TABLE figures_kept (
  day TEXT NOT NULL,
  dimension TEXT NOT NULL,
  measure TEXT NOT NULL,
  value TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (day, dimension, measure, value)
) STRICT, WITHOUT ROWID;

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
