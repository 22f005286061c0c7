-- Since when the mail server takes no emails, and why; no row while it takes them.
CREATE TABLE mail_outage (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since TEXT NOT NULL,
  error TEXT NOT NULL
) STRICT;
