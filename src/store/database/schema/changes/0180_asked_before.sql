-- Whether a customer has asked before is looked up for each listed request.
DROP TRIGGER quotes_asked_before;
DROP TRIGGER messages_asked_before;
DROP TRIGGER quotes_not_asked_before;
DROP TRIGGER messages_not_asked_before;
DROP TABLE asked_before_changes;
