/** Where disputes of a charge stand at PayPal. https://developer.paypal.com/docs/api/customer-disputes/v1/ */
import type { ChargeReference, DisputeOutcome } from '../payment-provider.ts';
import { fromPayPalMoney } from './amounts.ts';
import type { PayPalClient } from './client.ts';
import { readOrder } from './orders.ts';

/** Events tell of each step; this is for those that were lost. */
const LOOK_MS = 86_400_000;

interface RawDispute {
  dispute_id?: unknown;
  create_time?: unknown;
  status?: unknown;
  dispute_life_cycle_stage?: unknown;
  dispute_amount?: unknown;
  dispute_outcome?: { outcome_code?: unknown };
}

type End = 'inquiry' | 'lost' | 'open' | 'won';
const LOST = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'];

/** Of several the one that is open, else the newest. */
export async function lookUpPayPalDispute(
  client: PayPalClient,
  { processorId, nowMs }: ChargeReference,
): Promise<DisputeOutcome> {
  const order = processorId === null ? null : await readOrder(client, processorId);
  if (!order?.capture) return { kind: 'none' };
  const told = await listDisputes(client, order.capture.id);
  const found = told.find(({ end }) => end === 'open') ?? told.find(({ end }) => end !== 'inquiry');
  // An inquiry may become one.
  if (!found) return told.length > 0 ? { kind: 'awaited', lookAgainAtMs: nowMs + LOOK_MS } : { kind: 'none' };
  const { dispute, end } = found;
  const disputed = fromPayPalMoney(dispute.dispute_amount);
  const known = { processorId: String(dispute.dispute_id), ...(disputed ? { disputed } : {}) };
  if (end === 'won' || end === 'lost') return { kind: end, ...known };
  return { kind: 'open', ...known, lookAgainAtMs: nowMs + LOOK_MS };
}

/** Newest first. The list leaves out how each ended. */
async function listDisputes(client: PayPalClient, captureId: string) {
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
  return disputes
    .map((dispute) => ({ dispute, end: toEnd(dispute) }))
    .sort((a, b) => String(b.dispute.create_time).localeCompare(String(a.dispute.create_time)));
}

/** A word that is not known is one that is open. */
function toEnd({ status, dispute_life_cycle_stage: stage, dispute_outcome }: RawDispute): End {
  if (status === 'RESOLVED') return LOST.includes(String(dispute_outcome?.outcome_code)) ? 'lost' : 'won';
  return stage === 'INQUIRY' ? 'inquiry' : 'open';
}
