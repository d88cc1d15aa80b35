-- Expand, outside of a transaction. Trials of a card are found without a look at those of others.
create index concurrently if not exists subscriptions_of_trial_card on subscriptions (workspace_id, test_mode, trial_card)
  where trial_card is not null;
