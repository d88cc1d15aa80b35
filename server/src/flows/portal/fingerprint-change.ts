/** What a buyer was shown of a change, in one word: the same figures give the same word, and any other a different one. */
import { createHash } from 'node:crypto';
import type { BillingLine } from '../../domain/billing/line.ts';
import type { QuotedChange } from '../pricing/quote-plan-change.ts';

export function fingerprintChange(
  quoted: QuotedChange,
  asked: { subscriptionId: string; offerId: string; quantity: number; prorationDate: number },
): string {
  const { kind, interval, lines, payment, payBacks, after } = quoted;
  const told = {
    ...asked,
    ...{ kind, interval },
    lines: lines.map(toTold),
    due: payment && [payment.valueMinor, payment.taxMinor, payment.lines.map(toTold)],
    returned: payBacks.map(({ paymentId, amountMinor, taxMinor }) => [paymentId, amountMinor, taxMinor]),
    plan: after.map(({ offerId, unitPrice, quantity, inclusive }) => [
      offerId,
      unitPrice,
      quantity,
      inclusive,
    ]),
  };
  const text = JSON.stringify(told, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return createHash('sha256').update(text).digest('base64url');
}

const toTold = ({ kind, name, unitPrice, quantity, discount, tax, total }: BillingLine) => [
  ...[kind, name, unitPrice, quantity, discount, tax, total],
];
