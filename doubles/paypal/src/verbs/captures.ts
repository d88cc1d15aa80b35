/** Money taken, and sent back. https://developer.paypal.com/docs/api/payments/v2/ */
import type { World } from '../../../core/world.ts';
import { isRefused } from '../api/errors.ts';
import { emit } from '../events/emit.ts';
import { readMoney, toMinor, toMoney } from '../world/money.ts';
import {
  type Account,
  accountOf,
  type Capture,
  type Funding,
  find,
  insert,
  listRows,
  type Order,
  type Refund,
  type Row,
  save,
  toId,
  toLink,
  toTime,
  type Unit,
} from '../world/rows.ts';
import { type Answered, type Call, textAt } from './call.ts';
import { addMovement, moveMovement } from './movements.ts';

const REFUNDABLE_MS = 180 * 24 * 3_600_000;
const REASONS = { bank: 'ECHECK', review: 'PENDING_REVIEW' } as const;

export function takeCapture(
  world: World,
  account: Account,
  order: Row<Order>,
  unit: Unit,
  funding: Funding,
  take: { amount?: number; currency?: string } = {},
): Row<Capture> {
  const currency = take.currency?.toUpperCase() ?? unit.amount.currency_code;
  const amount = toMoney(take.amount ?? toMinor(unit.amount), currency);
  const reason = funding === 'bank' || funding === 'review' ? REASONS[funding] : null;
  const id = toId(world);
  const at = toTime(world.nowMs);
  const capture: Capture = {
    id,
    status: reason ? 'PENDING' : 'COMPLETED',
    ...(reason ? { status_details: { reason } } : {}),
    amount,
    final_capture: true,
    ...(unit.custom_id ? { custom_id: unit.custom_id } : {}),
    ...(unit.invoice_id ? { invoice_id: unit.invoice_id } : {}),
    seller_protection: {
      status: 'ELIGIBLE',
      dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
    },
    create_time: at,
    update_time: at,
    links: [
      toLink(world, `/v2/payments/captures/${id}`, 'self'),
      toLink(world, `/v2/payments/captures/${id}/refund`, 'refund', 'POST'),
      toLink(world, `/v2/checkout/orders/${order.id}`, 'up'),
    ],
  };
  const row = insert(world, 'capture', account, id, capture, { order: order.id });
  if (reason) tell(world, account, row, 'PENDING', 'Payment pending');
  else book(world, account, row);
  return row;
}

function book(world: World, account: Account, row: Row<Capture>): void {
  const { amount, custom_id = null, invoice_id = null } = row.data;
  const amountMinor = toMinor(amount);
  const movement = addMovement(world, account, {
    id: row.id,
    code: 'T0006',
    currency: amount.currency_code,
    amountMinor,
    reference: null,
    custom: custom_id,
    invoice: invoice_id,
  });
  const fee = toMoney(-movement.feeMinor, amount.currency_code);
  row.data.seller_receivable_breakdown = {
    gross_amount: amount,
    paypal_fee: fee,
    net_amount: toMoney(amountMinor + movement.feeMinor, amount.currency_code),
  };
  tell(world, account, row, 'COMPLETED', `Payment completed for ${amount.currency_code} ${amount.value}`);
}

/** The bank's word on a pending capture. */
export function settleCapture(world: World, row: Row<Capture>, isPaid: boolean): void {
  const account = accountOf(world, row);
  delete row.data.status_details;
  row.data.update_time = toTime(world.nowMs);
  row.data.status = isPaid ? 'COMPLETED' : 'DECLINED';
  if (isPaid) book(world, account, row);
  else tell(world, account, row, 'DENIED', 'Payment denied');
  saveCapture(world, row);
}

function tell(world: World, account: Account, row: Row<Capture>, word: string, summary: string): void {
  const upIds = { order_id: row.hidden.order };
  const resource = { ...row.data, supplementary_data: { related_ids: upIds } };
  emit(world, account, `PAYMENT.CAPTURE.${word}`, 'capture', resource, summary);
}

/** The order shows the capture, and what was given back of it, as they are. */
function saveCapture(world: World, row: Row<Capture>): void {
  save(world, 'capture', row);
  const order = world.store.get<Row<Order>>('order', row.hidden.order ?? '');
  const unit = order?.data.purchase_units.find(({ payments }) => payments?.captures[0]?.id === row.id);
  if (!order || !unit) return;
  const refunds = listRows(world, 'refund', accountOf(world, row))
    .filter(({ hidden }) => hidden.capture === row.id)
    .map(({ data }) => data);
  unit.payments = { captures: [row.data], ...(refunds.length > 0 ? { refunds } : {}) };
  save(world, 'order', order);
}

export function read({ world, account, ids }: Call): Answered {
  const row = find(world, 'capture', account, ids[0] ?? '');
  const related = { order_id: row.hidden.order };
  return { status: 200, body: { ...row.data, supplementary_data: { related_ids: related } } };
}

export function refund(call: Call): Answered {
  const { world, account, ids, body } = call;
  const row = find(world, 'capture', account, ids[0] ?? '');
  const { status, amount: taken } = row.data;
  if (status === 'REFUNDED') throw isRefused(422, 'CAPTURE_FULLY_REFUNDED');
  if (status !== 'COMPLETED' && status !== 'PARTIALLY_REFUNDED')
    throw isRefused(422, status === 'PENDING' ? 'PENDING_CAPTURE' : 'REFUND_NOT_ALLOWED');
  if (world.nowMs - row.hidden.createdMs > REFUNDABLE_MS) throw isRefused(422, 'REFUND_TIME_LIMIT_EXCEEDED');
  const left = toMinor(taken) - (row.hidden.refundedMinor ?? 0) - (row.hidden.reversedMinor ?? 0);
  const amount =
    body.amount === undefined ? toMoney(left, taken.currency_code) : readMoney(body.amount, '/amount');
  if (amount.currency_code !== taken.currency_code)
    throw isRefused(422, 'REFUND_CAPTURE_CURRENCY_MISMATCH', '/amount/currency_code');
  const minor = toMinor(amount);
  if (minor > left) throw isRefused(422, 'REFUND_AMOUNT_EXCEEDED', '/amount/value');
  const made = makeRefund(call, row, minor);
  return { status: 201, body: call.isWhole ? made.data : toShort(made.data) };
}

function toShort({ id, status, links }: Refund): object {
  return { id, status, links };
}

function makeRefund(call: Call, capture: Row<Capture>, minor: number): Row<Refund> {
  const { world, account, body } = call;
  const currency = capture.data.amount.currency_code;
  const id = toId(world);
  capture.hidden.refundedMinor = (capture.hidden.refundedMinor ?? 0) + minor;
  const total = capture.hidden.refundedMinor;
  const isWhole = total + (capture.hidden.reversedMinor ?? 0) >= toMinor(capture.data.amount);
  capture.data.status = isWhole ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  capture.data.update_time = toTime(world.nowMs);
  const doesWait = capture.hidden.doRefundsWait === true;
  const moved = {
    ...{ id, code: 'T1107', currency, amountMinor: -minor, reference: capture.id },
    custom: textAt(body, 'custom_id') ?? capture.data.custom_id ?? null,
    invoice: textAt(body, 'invoice_id') ?? capture.data.invoice_id ?? null,
  };
  const movement = addMovement(world, account, moved, doesWait ? 'P' : 'S');
  const at = toTime(world.nowMs);
  const refund: Refund = {
    id,
    status: doesWait ? 'PENDING' : 'COMPLETED',
    ...(doesWait ? { status_details: { reason: 'ECHECK' } } : {}),
    amount: toMoney(minor, currency),
    ...(textAt(body, 'custom_id') ? { custom_id: textAt(body, 'custom_id') ?? '' } : {}),
    ...(textAt(body, 'invoice_id') ? { invoice_id: textAt(body, 'invoice_id') ?? '' } : {}),
    ...(textAt(body, 'note_to_payer') ? { note_to_payer: textAt(body, 'note_to_payer') ?? '' } : {}),
    seller_payable_breakdown: {
      gross_amount: toMoney(minor, currency),
      paypal_fee: toMoney(0, currency),
      net_amount: toMoney(minor + movement.feeMinor, currency),
      total_refunded_amount: toMoney(total, currency),
    },
    create_time: at,
    update_time: at,
    links: [
      toLink(world, `/v2/payments/refunds/${id}`, 'self'),
      toLink(world, `/v2/payments/captures/${capture.id}`, 'up'),
    ],
  };
  const row = insert(world, 'refund', account, id, refund, { capture: capture.id });
  saveCapture(world, capture);
  if (!doesWait) tellRefund(world, account, row);
  return row;
}

function tellRefund(world: World, account: Account, row: Row<Refund>): void {
  const { amount } = row.data;
  const summary = `A ${amount.value} ${amount.currency_code} capture payment was refunded`;
  emit(world, account, 'PAYMENT.CAPTURE.REFUNDED', 'refund', row.data, summary);
}

export function readRefund({ world, account, ids }: Call): Answered {
  return { status: 200, body: find(world, 'refund', account, ids[0] ?? '').data };
}

/** The refund waits for the merchant's eCheck, or a bank sent it back: the payer has nothing, the merchant all. */
export function moveRefund(world: World, row: Row<Refund>, status: Refund['status']): void {
  const account = accountOf(world, row);
  const capture = world.store.get<Row<Capture>>('capture', row.hidden.capture ?? '');
  const minor = toMinor(row.data.amount);
  const wasDone = row.data.status === 'COMPLETED';
  const isOver = status === 'FAILED' || status === 'CANCELLED';
  const isNews = isOver && (wasDone || row.data.status === 'PENDING');
  row.data.status = status;
  row.data.update_time = toTime(world.nowMs);
  if (status === 'PENDING') row.data.status_details = { reason: 'ECHECK' };
  else delete row.data.status_details;
  if (isNews && !wasDone) moveMovement(world, row.id, 'D');
  else if (!isOver) moveMovement(world, row.id, status === 'PENDING' ? 'P' : 'S');
  if (capture && isNews) {
    capture.hidden.refundedMinor = (capture.hidden.refundedMinor ?? 0) - minor;
    const isPart = capture.hidden.refundedMinor + (capture.hidden.reversedMinor ?? 0) > 0;
    capture.data.status = isPart ? 'PARTIALLY_REFUNDED' : 'COMPLETED';
    if (wasDone)
      addMovement(world, account, {
        id: toId(world),
        // A reversal of no more special type, of the refund that it takes back.
        code: 'T1100',
        currency: row.data.amount.currency_code,
        amountMinor: minor,
        reference: row.id,
        custom: row.data.custom_id ?? null,
        invoice: row.data.invoice_id ?? null,
      });
  }
  save(world, 'refund', row);
  if (capture) saveCapture(world, capture);
  if (status === 'COMPLETED') tellRefund(world, account, row);
}

/** PayPal takes a payment back by itself: a dispute lost, or its bank's word. `minor`: of it; undefined = all that is left. */
export function reverseCapture(world: World, row: Row<Capture>, minor?: number): void {
  const account = accountOf(world, row);
  const rest = toMinor(row.data.amount) - (row.hidden.refundedMinor ?? 0) - (row.hidden.reversedMinor ?? 0);
  const left = Math.min(minor ?? rest, rest);
  row.hidden.reversedMinor = (row.hidden.reversedMinor ?? 0) + left;
  row.data.status = left === rest ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  row.data.status_details = { reason: 'CHARGEBACK' };
  row.data.update_time = toTime(world.nowMs);
  addMovement(world, account, {
    id: toId(world),
    code: 'T1106',
    currency: row.data.amount.currency_code,
    amountMinor: -left,
    reference: row.id,
    custom: row.data.custom_id ?? null,
    invoice: row.data.invoice_id ?? null,
  });
  saveCapture(world, row);
  tell(world, account, row, 'REVERSED', 'Payment reversed');
}
