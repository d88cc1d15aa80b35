/** The mails to whoever answers disputes: what is asked, until when, and where it is answered. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';

interface Telling {
  tx: Tx;
  kind: 'dispute_opened' | 'dispute_inquiry';
  payment: Row<'payments'>;
  dispute: Pick<Row<'disputes'>, 'id' | 'amount' | 'currency' | 'reason' | 'evidenceDueAt' | 'processorUrl'>;
}

export async function tellOfDispute(
  { nowMs: at }: Step,
  scope: Scope,
  { tx, kind, payment: { orderNumber }, dispute }: Telling,
): Promise<void> {
  const { id, amount, currency, reason, evidenceDueAt: dueAtMs, processorUrl } = dispute;
  const params = { amountMinor: Number(amount), currency, orderNumber, reason, dueAtMs, processorUrl };
  await queueOwnerMails(tx, scope, [{ kind, params, key: `${kind}:${id}`, at }]);
}

/** The bank took more than was left of the payment: the rest is on an account of its own. */
export async function tellOfExcess(
  { nowMs: at }: Step,
  scope: Scope,
  {
    tx,
    payment: { orderNumber },
    dispute: { id, currency },
    excess,
  }: Omit<Telling, 'kind'> & { excess: bigint },
): Promise<void> {
  const params = { amountMinor: Number(excess), currency, orderNumber };
  await queueOwnerMails(tx, scope, [{ kind: 'dispute_excess', params, key: `dispute_excess:${id}`, at }]);
}
