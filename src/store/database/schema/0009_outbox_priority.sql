-- Sign-in emails and emergency notices are sent first; an email is given up by the age of its first
-- attempt, not by the number of attempts.

-- 0: an account's email, 1: an emergency notice, 2: any other (`domain::email::notice::Priority`).
ALTER TABLE outbox ADD COLUMN priority INTEGER NOT NULL DEFAULT 2 CHECK (priority BETWEEN 0 AND 2);
-- The first attempt since the row was inserted, or since an operator's retry; NULL before it.
ALTER TABLE outbox ADD COLUMN tried_since TEXT;
-- Consecutive attempts whose result was not recorded: the process ended during each of them.
ALTER TABLE outbox ADD COLUMN unfinished INTEGER NOT NULL DEFAULT 0;

UPDATE outbox SET priority = 0 WHERE kind = 'account' AND state <> 'sent';
DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox (priority, due_at) WHERE state = 'due';
