/**
 * What the ledger must hold, read from the sale's own tables: written apart from the postings on purpose,
 * so that a mistake in one of the two shows.
 */

/** Lines (workspace_id, test_mode, account, currency, amount), debit positive, that sum to each balance. */
export const MOVED_MONEY = `
  select p.workspace_id, p.test_mode, line.account, p.currency, line.amount
  from payments p
  join charges c on c.workspace_id = p.workspace_id and c.test_mode = p.test_mode and c.payment_id = p.id
    and c.status = 'succeeded' and c.reversed_at is null
  cross join lateral (values
    (case c.processor when 'manual' then 'manual' else 'processor_clearing' end, p.value - p.fee),
    ('fees', p.fee), ('sales', p.tax - p.value), ('tax_payable', -p.tax)) as line (account, amount)
  where p.status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED') and p.value > 0
  union all
  select c.workspace_id, c.test_mode, line.account, c.currency, line.amount
  from charges c
  cross join lateral (values
    (case c.processor when 'manual' then 'manual' else 'processor_clearing' end, -c.fee),
    ('fees', c.fee)) as line (account, amount)
  where c.status = 'succeeded' and c.reversed_at is not null`;
