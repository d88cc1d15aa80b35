/** Stripe's lists of what was taken, given back, disputed and moved, newest first. */
import type Stripe from 'stripe';
import type {
  BookedCharge,
  BookedMovement,
  BookedRefund,
  BooksPage,
  MovementsWindow,
  ProcessorBooks,
} from '../books.ts';
import { fromStripeAmount } from './amounts.ts';
import type { StripeClient } from './client.ts';
import { StripeFailure } from './failure.ts';
import { REFUND_KEY, toOwnRefund } from './refunds.ts';

const PAGE = 100;

export function openStripeBooks(client: StripeClient): ProcessorBooks {
  return {
    keepsDisputed: false,
    findCharge: async (processorId) => {
      // A method that was taken for 0 is no money.
      if (!processorId.startsWith('pi_')) return null;
      try {
        return toBookedCharge(
          await client.ask((sdk, asking) => sdk.paymentIntents.retrieve(processorId, {}, asking)),
        );
      } catch (error) {
        if (error instanceof StripeFailure && error.kind === 'missing') return null;
        throw error;
      }
    },
    listCharges: (window) =>
      readPage(
        client.ask((sdk, asking) => sdk.paymentIntents.list(toAsked(window), asking)),
        toBookedCharge,
      ),
    listRefunds: (window) =>
      readPage(
        client.ask((sdk, asking) => sdk.refunds.list(toAsked(window), asking)),
        toBookedRefund,
      ),
    listDisputes: (window) =>
      readPage(
        client.ask((sdk, asking) => sdk.disputes.list(toAsked(window), asking)),
        ({ id, payment_intent }) => ({ processorId: id, ofCharge: toId(payment_intent) }),
      ),
    listMovements: (window) =>
      readPage(
        client.ask((sdk, asking) =>
          sdk.balanceTransactions.list({ ...toAsked(window), expand: ['data.source'] }, asking),
        ),
        toMovement,
      ),
    readBalances: async () => {
      const balance = await client.ask((sdk, asking) => sdk.balance.retrieve({}, asking));
      const sums = new Map<string, bigint>();
      for (const { amount, currency } of [...balance.available, ...balance.pending]) {
        const money = fromStripeAmount(amount, currency);
        sums.set(money.currency, (sums.get(money.currency) ?? 0n) + money.amountMinor);
      }
      return [...sums].map(([currency, amountMinor]) => ({ currency, amountMinor }));
    },
  };
}

function toAsked({ fromMs, toMs, after }: MovementsWindow) {
  const until = toMs === null ? {} : { lt: Math.ceil(toMs / 1000) };
  const created = { gte: Math.floor(fromMs / 1000), ...until };
  return { created, limit: PAGE, ...(after === null ? {} : { starting_after: after }) };
}

async function readPage<T extends { id: string }, R>(
  asked: Promise<Stripe.ApiList<T>>,
  toRow: (one: T) => R,
): Promise<BooksPage<R>> {
  const { data, has_more } = await asked;
  return { rows: data.map(toRow), next: has_more ? (data.at(-1)?.id ?? null) : null };
}

function toBookedCharge({
  id,
  status,
  amount_received,
  currency,
  metadata,
}: Stripe.PaymentIntent): BookedCharge {
  const taken = fromStripeAmount(amount_received, currency);
  return { processorId: id, status: toChargeStatus(status), ...taken, metadata };
}

/** A word that is not known is one that waits. */
function toChargeStatus(status: string): 'succeeded' | 'open' | 'ended' {
  if (status === 'succeeded') return 'succeeded';
  return status === 'canceled' ? 'ended' : 'open';
}

export function toBookedRefund(refund: Stripe.Refund): BookedRefund {
  const { id, status, failure_reason: reason, payment_intent, amount, currency } = refund;
  return {
    processorId: id,
    ofCharge: toId(payment_intent),
    ownId: toOwnRefund(refund.metadata?.[REFUND_KEY]),
    status: toRefundStatus(status),
    reason: reason ?? null,
    ...fromStripeAmount(amount, currency),
  };
}

function toRefundStatus(status: string | null): BookedRefund['status'] {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

const KINDS: Readonly<Record<string, BookedMovement['kind']>> = {
  charge: 'charge',
  refund: 'refund',
  refund_failure: 'refund_returned',
  dispute: 'dispute',
  dispute_reversal: 'dispute_reversal',
  payout: 'payout',
  payout_reversal: 'payout',
  fee: 'fee',
};

function toMovement(told: Stripe.BalanceTransaction): BookedMovement {
  const { id, reporting_category, amount, fee, currency, created } = told;
  const source = typeof told.source === 'string' ? null : told.source;
  const refund = source?.object === 'refund' ? source : null;
  const ofCharge =
    source?.object === 'charge' || source?.object === 'refund' || source?.object === 'dispute'
      ? toId(source.payment_intent)
      : null;
  return {
    movementId: id,
    kind: KINDS[reporting_category] ?? 'other',
    source: typeof told.source === 'string' ? told.source : (source?.id ?? null),
    ofCharge,
    ownId: toOwnRefund(refund?.metadata?.[REFUND_KEY]),
    ...fromStripeAmount(amount, currency),
    feeMinor: fromStripeAmount(fee, currency).amountMinor,
    atMs: created * 1000,
  };
}

function toId(value: string | { id: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null);
}
