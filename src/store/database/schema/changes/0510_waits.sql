-- What waits is computed from the history, for all requests after each migration. What counted as
-- opened or as failed says so in its event.
DROP TRIGGER requests_answered;
UPDATE events SET detail = json_set(detail, '$.read_at', at)
  WHERE (verb IN ('wrote', 'settled') OR verb = 'offer_accepted' AND actor IS NULL)
    AND detail ->> 'read_at' IS NULL AND seq IN (SELECT seq FROM requests WHERE unread = 0);
UPDATE events SET detail = json_set(detail, '$.failed_after', (SELECT max(id) FROM events))
  WHERE id IN (SELECT failed_reply FROM requests WHERE failed_reply IS NOT NULL);
