-- How a completed or cancelled request has ended (`domain::request::outcome`): `won`,
-- `lost` or `not_customer`. A lost one has a reason. A value is in cents, and for a month (`month`)
-- or in all (`total`).
ALTER TABLE quotes ADD COLUMN outcome TEXT;
ALTER TABLE quotes ADD COLUMN outcome_reason TEXT;
ALTER TABLE quotes ADD COLUMN outcome_words TEXT;
ALTER TABLE quotes ADD COLUMN outcome_cents INTEGER;
ALTER TABLE quotes ADD COLUMN outcome_per TEXT;
ALTER TABLE contact_messages ADD COLUMN outcome TEXT;
ALTER TABLE contact_messages ADD COLUMN outcome_reason TEXT;
ALTER TABLE contact_messages ADD COLUMN outcome_words TEXT;
ALTER TABLE contact_messages ADD COLUMN outcome_cents INTEGER;
ALTER TABLE contact_messages ADD COLUMN outcome_per TEXT;
