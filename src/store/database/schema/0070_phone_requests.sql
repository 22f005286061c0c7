-- How a quote request came: by the form of the site, or typed by an admin during a call. A contact
-- message comes by the site. A request by phone may have an empty `email`.
ALTER TABLE quotes ADD COLUMN source TEXT NOT NULL DEFAULT 'web' CHECK (source IN ('web', 'phone'));
