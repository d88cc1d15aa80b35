/** Disputes, which only the world outside opens. https://developer.paypal.com/docs/api/customer-disputes/v1/ */
import type { World } from '../../../core/world.ts';
import { emit } from '../events/emit.ts';
import { toMinor, toMoney } from '../world/money.ts';
import {
  type Account,
  accountOf,
  type Capture,
  type Dispute,
  find,
  insert,
  listRows,
  type Row,
  save,
  toId,
  toLink,
  toTime,
} from '../world/rows.ts';
import type { Answered, Call } from './call.ts';
import { reverseCapture } from './captures.ts';
import { addMovement, HOLD, RELEASE } from './movements.ts';
import { PAYER } from './vault.ts';

const ANSWER_WITHIN_MS = 10 * 24 * 3_600_000;
const PAGE_MAX = 50;

/** By our words. `none` = the buyer took it back before it was one. */
export type Stage = 'inquiry' | 'lost' | 'none' | 'open' | 'won';
const OUTCOMES = { lost: 'RESOLVED_BUYER_FAVOUR', won: 'RESOLVED_SELLER_FAVOUR', none: 'CANCELED_BY_BUYER' };

export function moveDispute(
  world: World,
  capture: Row<Capture>,
  stage: Stage,
  minor: number | undefined,
  reason: string,
): Dispute {
  const account = accountOf(world, capture);
  const open = listRows(world, 'dispute', account).find(
    ({ hidden, data }) => hidden.capture === capture.id && data.status !== 'RESOLVED',
  );
  const row = open ?? openDispute(world, account, capture, minor, reason);
  const { data } = row;
  data.update_time = toTime(world.nowMs);
  if (stage === 'inquiry' || stage === 'open') {
    data.dispute_life_cycle_stage = stage === 'open' ? 'CHARGEBACK' : 'INQUIRY';
    data.status = stage === 'open' ? 'WAITING_FOR_SELLER_RESPONSE' : 'OPEN';
    save(world, 'dispute', row);
    const word = open ? 'UPDATED' : 'CREATED';
    emit(world, account, `CUSTOMER.DISPUTE.${word}`, 'dispute', data, `A dispute was ${word.toLowerCase()}`);
    return data;
  }
  if (!open) emit(world, account, 'CUSTOMER.DISPUTE.CREATED', 'dispute', data, 'A dispute was created');
  data.status = 'RESOLVED';
  data.dispute_outcome = {
    outcome_code: OUTCOMES[stage],
    ...(stage === 'lost' ? { amount_refunded: data.dispute_amount } : {}),
  };
  delete data.seller_response_due_date;
  save(world, 'dispute', row);
  hold(world, account, { code: RELEASE, capture, minor: row.hidden.withheldMinor ?? 0 });
  if (stage === 'lost') reverseCapture(world, capture, toMinor(data.dispute_amount));
  emit(world, account, 'CUSTOMER.DISPUTE.RESOLVED', 'dispute', data, 'A dispute was resolved');
  return data;
}

function openDispute(
  world: World,
  account: Account,
  capture: Row<Capture>,
  minor: number | undefined,
  reason: string,
): Row<Dispute> {
  const id = `PP-D-${world.count('disputes')}`;
  const { amount, custom_id, invoice_id, create_time } = capture.data;
  const data: Dispute = {
    dispute_id: id,
    create_time: toTime(world.nowMs),
    update_time: toTime(world.nowMs),
    disputed_transactions: [
      {
        seller_transaction_id: capture.id,
        create_time,
        transaction_status: 'COMPLETED',
        gross_amount: amount,
        ...(custom_id ? { custom: custom_id } : {}),
        ...(invoice_id ? { invoice_number: invoice_id } : {}),
        buyer: { name: `${PAYER.name.given_name} ${PAYER.name.surname}` },
        seller: { merchant_id: account.id, name: 'Test Store' },
      },
    ],
    reason,
    status: 'OPEN',
    dispute_amount: toMoney(minor ?? toMinor(amount), amount.currency_code),
    dispute_life_cycle_stage: 'INQUIRY',
    dispute_channel: 'INTERNAL',
    seller_response_due_date: toTime(world.nowMs + ANSWER_WITHIN_MS),
    links: [toLink(world, `/v1/customer/disputes/${id}`, 'self')],
  };
  const { refundedMinor = 0, reversedMinor = 0 } = capture.hidden;
  const left = toMinor(amount) - refundedMinor - reversedMinor;
  const withheldMinor = Math.min(minor ?? left, left);
  hold(world, account, { code: HOLD, capture, minor: withheldMinor });
  return insert(world, 'dispute', account, id, data, { capture: capture.id, withheldMinor });
}

interface Hold {
  code: typeof HOLD | typeof RELEASE;
  capture: Row<Capture>;
  minor: number;
}

/** What is disputed can be spent by nobody until it is decided. */
function hold(world: World, account: Account, { code, capture, minor }: Hold): void {
  if (minor === 0) return;
  const { amount, custom_id = null, invoice_id = null } = capture.data;
  addMovement(world, account, {
    id: toId(world),
    code,
    currency: amount.currency_code,
    amountMinor: code === HOLD ? -minor : minor,
    reference: capture.id,
    custom: custom_id,
    invoice: invoice_id,
  });
}

export function list({ world, account, query }: Call): Answered {
  const transaction = query.get('disputed_transaction_id');
  const since = query.get('start_time') ?? query.get('update_time_after');
  const until = query.get('update_time_before');
  const size = Math.min(Number(query.get('page_size') ?? 10), PAGE_MAX);
  const start = Number(query.get('next_page_token') ?? 0);
  const found = listRows(world, 'dispute', account)
    .map(({ data }) => data)
    .filter((one) => !transaction || one.disputed_transactions[0]?.seller_transaction_id === transaction)
    .filter((one) => !since || Date.parse(one.update_time) >= Date.parse(since))
    .filter((one) => !until || Date.parse(one.update_time) <= Date.parse(until));
  const items = found.slice(start, start + size).map(toSummary);
  const path = '/v1/customer/disputes';
  const next = new URLSearchParams(query);
  next.set('next_page_token', String(start + size));
  const links = [toLink(world, path, 'self')];
  if (found.length > start + size) links.push(toLink(world, `${path}?${next}`, 'next'));
  return { status: 200, body: { items, links } };
}

function toSummary(dispute: Dispute): object {
  const { dispute_id, create_time, update_time, reason, status, dispute_amount } = dispute;
  const { dispute_life_cycle_stage, dispute_channel, disputed_transactions, links } = dispute;
  return {
    ...{ dispute_id, create_time, update_time, disputed_transactions, reason, status, dispute_amount },
    ...{ dispute_life_cycle_stage, dispute_channel, links },
  };
}

export function read({ world, account, ids }: Call): Answered {
  return { status: 200, body: find(world, 'dispute', account, ids[0] ?? '').data };
}
