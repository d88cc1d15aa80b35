-- The browser that first opened a checkout which the merchant prepared for a user: it alone may pay by that user's cards.

alter table checkout_sessions add column opened_by_hash text;
