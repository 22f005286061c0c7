-- When a person has first pressed something on the page of a version.
ALTER TABLE offer_states ADD COLUMN opened_at TEXT;
