-- Expand. By which card a trial was begun, as a keyed hash of the processor's fingerprint: a card has one trial of a product.
alter table subscriptions add column trial_card text;
