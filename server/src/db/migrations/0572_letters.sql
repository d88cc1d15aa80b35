-- Expand. What HTML and plain text of a mail are made of; those that are written already keep these two.
alter table mails add column letter text;
