/** Where disputes of a charge stand at PayPal. https://developer.paypal.com/docs/api/customer-disputes/v1/ */
import type { BooksWindow } from '../books.ts';
import {
  type ChargeReference,
  type DisputeStage,
  type DisputesOutcome,
  type ToldDispute,
  UNDISPUTED,
} from '../payment-provider.ts';
import { fromPayPalMoney } from './amounts.ts';
import type { PayPalClient } from './client.ts';
import { type Capture, readOrder, toText } from './orders.ts';

/** Events tell of each step; this is for those that were lost. */
const LOOK_MS = 86_400_000;

interface RawDispute {
  dispute_id?: unknown;
  create_time?: unknown;
  status?: unknown;
  reason?: unknown;
  seller_response_due_date?: unknown;
  dispute_life_cycle_stage?: unknown;
  dispute_amount?: unknown;
  dispute_outcome?: { outcome_code?: unknown; amount_refunded?: unknown };
  disputed_transactions?: ReadonlyArray<{ seller_transaction_id?: unknown }>;
}

/** How one has ended. A word that is not known is one that is open. */
const ENDS: Readonly<Record<string, DisputeStage>> = {
  RESOLVED_BUYER_FAVOUR: 'lost',
  ACCEPTED: 'lost',
  RESOLVED_SELLER_FAVOUR: 'won',
  RESOLVED_WITH_PAYOUT: 'won',
  CANCELED_BY_BUYER: 'won',
  DENIED: 'won',
  // Another of the same payment goes on in its place.
  NONE: 'none',
};

export async function lookUpPayPalDisputes(
  client: PayPalClient,
  { processorId, nowMs }: ChargeReference,
  testMode: boolean,
): Promise<DisputesOutcome> {
  const order = processorId === null ? null : await readOrder(client, processorId);
  if (!order?.capture) return UNDISPUTED;
  const listed = (await listDisputes(client, order.capture.id)).map((one) => toTold(one, testMode));
  const disputes = [...listed, ...findReversal(order.capture, listed)];
  const isUndecided = disputes.some(({ stage }) => stage === 'open' || stage === 'inquiry');
  return { kind: 'told', disputes, warnings: [], lookAgainAtMs: isUndecided ? nowMs + LOOK_MS : null };
}

/**
 * Money that PayPal took back by itself: a dispute that was lost before anybody was asked. Where a dispute of the capture
 * is open or lost, that is how it was taken back, and says how much.
 */
function findReversal({ id, isReversed }: Capture, listed: readonly ToldDispute[]): ToldDispute[] {
  const isTold = listed.some(({ stage }) => stage === 'open' || stage === 'lost');
  if (!isReversed || isTold) return [];
  const nothing = { evidenceDueAtMs: null, processorUrl: null, evidence: null };
  // All that is left of it.
  return [{ processorId: id, stage: 'lost', disputed: null, reason: 'reversed', ...nothing }];
}

/** What a capture was taken back by: a dispute, or PayPal's own word, which is known by the capture. */
export async function findLostDispute(client: PayPalClient, captureId: string): Promise<string> {
  const lost = (await listDisputes(client, captureId)).filter((one) => toStage(one) === 'lost');
  return toText(lost.at(-1)?.dispute_id) ?? captureId;
}

const LISTED = '/v1/customer/disputes';
const PAGE_SIZE = '50';

/** Those that have changed since the window began, newest first. */
export async function listPayPalDisputes(client: PayPalClient, { fromMs, toMs, after }: BooksWindow) {
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
  const query = new URLSearchParams({
    ...{ update_time_after: from ?? '', update_time_before: to ?? '', page_size: PAGE_SIZE },
    ...(after === null ? {} : { next_page_token: after }),
  });
  const { items = [], links = [] } = await client.ask<{
    items?: readonly RawDispute[];
    links?: ReadonlyArray<{ rel?: unknown; href?: unknown }>;
  }>({ method: 'GET', path: `${LISTED}?${query}` });
  const href = toText(links.find(({ rel }) => rel === 'next')?.href);
  const next =
    href === null ? null : new URL(href, 'https://paypal.invalid').searchParams.get('next_page_token');
  const disputes = items.map(({ dispute_id, disputed_transactions }) => ({
    processorId: String(dispute_id),
    captureId: toText(disputed_transactions?.[0]?.seller_transaction_id),
  }));
  return { disputes, next };
}

/** Oldest first. The list leaves out how each ended. */
async function listDisputes(client: PayPalClient, captureId: string): Promise<RawDispute[]> {
  const query = new URLSearchParams({ disputed_transaction_id: captureId, page_size: '50' });
  const path = `/v1/customer/disputes?${query}`;
  const { items = [] } = await client.ask<{ items?: readonly RawDispute[] }>({ method: 'GET', path });
  const disputes = await Promise.all(
    items.map(({ dispute_id }) =>
      client.ask<RawDispute>({
        method: 'GET',
        path: `/v1/customer/disputes/${encodeURIComponent(String(dispute_id))}`,
      }),
    ),
  );
  return disputes.sort((a, b) => String(a.create_time).localeCompare(String(b.create_time)));
}

function toTold(dispute: RawDispute, testMode: boolean): ToldDispute {
  const processorId = String(dispute.dispute_id);
  const stage = toStage(dispute);
  // What the payer got may be less than what they asked for.
  const lost = stage === 'lost' ? fromPayPalMoney(dispute.dispute_outcome?.amount_refunded) : null;
  const dueAtMs = Date.parse(toText(dispute.seller_response_due_date) ?? '');
  const host = testMode ? 'www.sandbox.paypal.com' : 'www.paypal.com';
  return {
    processorId,
    stage,
    disputed: lost ?? fromPayPalMoney(dispute.dispute_amount),
    reason: toText(dispute.reason)?.toLowerCase() ?? null,
    evidenceDueAtMs: Number.isNaN(dueAtMs) ? null : dueAtMs,
    processorUrl: `https://${host}/resolutioncenter/view/${encodeURIComponent(processorId)}`,
    evidence: null,
  };
}

/** A word that is not known is one that is open. */
function toStage({ status, dispute_life_cycle_stage: stage, dispute_outcome }: RawDispute): DisputeStage {
  if (status === 'RESOLVED') return ENDS[String(dispute_outcome?.outcome_code)] ?? 'open';
  return stage === 'INQUIRY' ? 'inquiry' : 'open';
}
