-- When an admin marked the request as spam, from which its deletion counts; null if the filter held it.
ALTER TABLE quotes ADD COLUMN held_at TEXT;
ALTER TABLE contact_messages ADD COLUMN held_at TEXT;
