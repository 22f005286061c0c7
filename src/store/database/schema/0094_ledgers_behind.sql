-- Since when the ledger of erasures beside the backups in a place lacks an erasure; NULL if it is
-- complete.
ALTER TABLE backup_places ADD COLUMN behind_since TEXT;
