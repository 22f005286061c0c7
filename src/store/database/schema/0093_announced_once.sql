-- A request is announced as created once: when it is stored, or when it is released if the filter held it.
-- One that an admin has marked as spam, which sets `held_at`, was announced before.
DROP TRIGGER quotes_announced;
DROP TRIGGER messages_announced;
DROP TRIGGER quotes_change_announced;
DROP TRIGGER messages_change_announced;

CREATE TRIGGER quotes_announced AFTER INSERT ON quotes
WHEN new.demo = 0 AND new.held IS NULL AND EXISTS (SELECT 1 FROM webhook_endpoints) BEGIN
  INSERT INTO webhook_events (event, seq) VALUES ('request.created', new.seq);
END;
CREATE TRIGGER messages_announced AFTER INSERT ON contact_messages
WHEN new.demo = 0 AND new.held IS NULL AND EXISTS (SELECT 1 FROM webhook_endpoints) BEGIN
  INSERT INTO webhook_events (event, seq) VALUES ('request.created', new.seq);
END;
CREATE TRIGGER quotes_change_announced AFTER UPDATE OF status, assignee, answered_at, held ON quotes
WHEN new.demo = 0 AND EXISTS (SELECT 1 FROM webhook_endpoints) BEGIN
  INSERT INTO webhook_events (event, seq) SELECT 'request.created', new.seq
    WHERE old.held IS NOT NULL AND new.held IS NULL AND old.held_at IS NULL;
  INSERT INTO webhook_events (event, seq) SELECT 'request.answered', new.seq
    WHERE old.answered_at IS NULL AND new.answered_at IS NOT NULL;
  INSERT INTO webhook_events (event, seq) SELECT 'request.changed', new.seq
    WHERE old.status IS NOT new.status OR old.assignee IS NOT new.assignee;
END;
CREATE TRIGGER messages_change_announced AFTER UPDATE OF status, assignee, answered_at, held ON contact_messages
WHEN new.demo = 0 AND EXISTS (SELECT 1 FROM webhook_endpoints) BEGIN
  INSERT INTO webhook_events (event, seq) SELECT 'request.created', new.seq
    WHERE old.held IS NOT NULL AND new.held IS NULL AND old.held_at IS NULL;
  INSERT INTO webhook_events (event, seq) SELECT 'request.answered', new.seq
    WHERE old.answered_at IS NULL AND new.answered_at IS NOT NULL;
  INSERT INTO webhook_events (event, seq) SELECT 'request.changed', new.seq
    WHERE old.status IS NOT new.status OR old.assignee IS NOT new.assignee;
END;
