-- Expand. What a subscription brings in a month may be more than an amount can be: a week at the largest price is four of
-- them. Only wider: what is there stays as it is written.

alter table mrr_movements
  alter column delta type numeric(38,0),
  alter column after type numeric(38,0);
