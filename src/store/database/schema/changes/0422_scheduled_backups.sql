-- A backup by hand does not put off the next one by schedule.
ALTER TABLE backup_places ADD COLUMN scheduled_at TEXT;
UPDATE backup_places SET scheduled_at = made_at;
