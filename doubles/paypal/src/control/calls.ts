/** What the control port does to PayPal's accounts and objects. */
import { BadCall, type Body, isCount, need, onlyKnows } from '../../../core/checks.ts';
import type { ControlCalls } from '../../../core/control.ts';
import type { World } from '../../../core/world.ts';
import { moveRefund, reverseCapture, settleCapture } from '../verbs/captures.ts';
import { moveDispute, type Stage } from '../verbs/disputes.ts';
import { approve } from '../verbs/orders.ts';
import { removePayer } from '../verbs/vault.ts';
import { openAccount, renewSecret } from '../world/accounts.ts';
import { isCurrency } from '../world/money.ts';
import {
  type Account,
  accountOf,
  type Capture,
  type Funding,
  type Order,
  type PaymentToken,
  type Refund,
  type Row,
  save,
} from '../world/rows.ts';
import { toBooks } from './books.ts';

const STAGES = ['inquiry', 'lost', 'none', 'open', 'won'];
const FUNDINGS = ['balance', 'bank', 'declined', 'review'];

export const CALLS: ControlCalls = {
  open,
  revoke,
  close,
  act,
  books: (world, account) => toBooks(world, findAccount(world, account)),
};

function open(world: World, body: Body): object {
  onlyKnows(body, ['country', 'currency', 'mode']);
  const { country = 'DE', currency = 'eur', mode = 'test' } = body;
  need(typeof country === 'string' && /^[A-Z]{2}$/.test(country), 'country must be two capital letters');
  need(
    typeof currency === 'string' && isCurrency(currency.toUpperCase()),
    'currency must be one that PayPal knows',
  );
  need(mode === 'test' || mode === 'live', 'mode must be test or live');
  const asked = { country, currency: currency.toUpperCase(), isLive: mode === 'live' };
  return toAnswer(openAccount(world, asked));
}

function toAnswer({ id, clientId, clientSecret }: Account): object {
  return { id, clientId, clientSecret };
}

function findAccount(world: World, id: string): Account {
  const account = world.store.get<Account>('account', id);
  if (!account) throw new BadCall(`no account ${id}`);
  return account;
}

function revoke(world: World, id: string): object {
  const account = findAccount(world, id);
  renewSecret(world, account);
  return toAnswer(account);
}

function close(world: World, id: string): object {
  const account = findAccount(world, id);
  account.isClosed = true;
  world.store.put('account', id, account);
  return {};
}

/** An order stands for its capture. */
function act(world: World, id: string, verb: string, body: Body): object {
  world.begin(`control ${world.count('control')}`);
  const capture = findCapture(world, id);
  const refund = world.store.get<Row<Refund>>('refund', id);
  if (verb === 'settle' || verb === 'fail') {
    onlyKnows(body, []);
    if (refund) moveRefund(world, refund, verb === 'settle' ? 'COMPLETED' : 'FAILED');
    else settlePending(world, capture, id, verb === 'settle');
    return (refund ?? capture)?.data ?? {};
  }
  if (verb === 'dispute') return dispute(world, capture, body);
  if (verb === 'return') {
    onlyKnows(body, []);
    if (refund) {
      moveRefund(world, refund, 'FAILED');
      return refund.data;
    }
    // By a bank, without a dispute: PAYMENT.CAPTURE.REVERSED.
    if (!capture) throw new BadCall('only a refund is returned, and a payment taken back');
    const taken = ['COMPLETED', 'PARTIALLY_REFUNDED'].includes(capture.data.status);
    need(taken, `${capture.id} has nothing to take back: ${capture.data.status}`);
    reverseCapture(world, capture);
    return capture.data;
  }
  if (verb === 'update') return update(world, id, body, { refund, capture });
  throw new BadCall(`unknown call ${verb}`);
}

function findCapture(world: World, id: string): Row<Capture> | undefined {
  const order = world.store.get<Row<Order>>('order', id);
  const own = order?.data.purchase_units[0]?.payments?.captures[0]?.id;
  return world.store.get<Row<Capture>>('capture', own ?? id);
}

function settlePending(world: World, capture: Row<Capture> | undefined, id: string, isPaid: boolean): void {
  if (!capture) throw new BadCall(`no object ${id}`);
  need(capture.data.status === 'PENDING', `${capture.id} waits for nobody: ${capture.data.status}`);
  settleCapture(world, capture, isPaid);
}

function dispute(world: World, capture: Row<Capture> | undefined, body: Body): object {
  onlyKnows(body, ['stage', 'amount', 'reason']);
  const { stage = 'open', amount, reason = 'UNAUTHORISED' } = body;
  need(STAGES.includes(String(stage)), `stage must be one of ${STAGES.join(', ')}`);
  need(amount === undefined || (isCount(amount) && amount > 0), 'amount must be a whole number from 1');
  need(typeof reason === 'string', 'reason must be a text');
  if (!capture) throw new BadCall('only a payment is disputed');
  return moveDispute(world, capture, stage as Stage, amount as number | undefined, reason);
}

/** `funding` of a payer or an order, `approved` and `refunds` of an order, `status` of a refund, `deleted` of a payer. */
function update(
  world: World,
  id: string,
  body: Body,
  { refund, capture }: { refund: Row<Refund> | undefined; capture: Row<Capture> | undefined },
): object {
  onlyKnows(body, ['approved', 'authenticate', 'deleted', 'funding', 'refunds', 'status']);
  const { funding, refunds } = body;
  need(
    funding === undefined || FUNDINGS.includes(String(funding)),
    `funding must be one of ${FUNDINGS.join(', ')}`,
  );
  if (refund) {
    need(['CANCELLED', 'COMPLETED', 'PENDING'].includes(String(body.status)), 'status is none of a refund');
    moveRefund(world, refund, body.status as Refund['status']);
    return refund.data;
  }
  if (refunds !== undefined) {
    need(capture !== undefined, 'only what is paid is refunded');
    need(refunds === 'COMPLETED' || refunds === 'PENDING', 'refunds is COMPLETED or PENDING');
    capture.hidden.doRefundsWait = refunds === 'PENDING';
    save(world, 'capture', capture);
    return capture.data;
  }
  const order = world.store.get<Row<Order>>('order', id);
  if (order) {
    if (body.approved === true)
      approve(world, accountOf(world, order), order, (funding as Funding | undefined) ?? 'balance');
    return order.data;
  }
  const token = world.store.get<Row<PaymentToken>>('payment_token', id);
  if (!token) throw new BadCall(`no object ${id}`);
  if (funding !== undefined) token.hidden.funding = funding as Funding;
  if (body.authenticate !== undefined) token.hidden.mustAuthenticate = body.authenticate === true;
  save(world, 'payment_token', token);
  if (body.deleted === true) removePayer(world, accountOf(world, token), token);
  return token.data;
}
