/** Orders: made, approved by the payer, captured. https://developer.paypal.com/docs/api/orders/v2/ */
import type { World } from '../../../core/world.ts';
import { isMissing, isRefused } from '../api/errors.ts';
import { emit } from '../events/emit.ts';
import { readMoney } from '../world/money.ts';
import {
  type Account,
  type Funding,
  find,
  insert,
  look,
  type Order,
  type PaymentToken,
  type Row,
  save,
  toId,
  toLink,
  toTime,
  type Unit,
} from '../world/rows.ts';
import { type Answered, at, type Call, isHash, textAt } from './call.ts';
import { takeCapture } from './captures.ts';
import { PAYER, vaultPayer } from './vault.ts';

/** An order that nobody approved is gone after six hours. */
const LIFE_MS = 6 * 3_600_000;
const UNITS_MAX = 10;

export function create(call: Call): Answered {
  const { world, account, body } = call;
  if (body.intent === undefined) throw isRefused(400, 'MISSING_REQUIRED_PARAMETER', '/intent');
  if (body.intent !== 'CAPTURE') throw isRefused(422, 'UNSUPPORTED_INTENT', '/intent');
  const id = toId(world);
  const source = at(body, 'payment_source', 'paypal');
  if (source !== undefined && call.key === null)
    throw isRefused(400, 'PAYPAL_REQUEST_ID_REQUIRED', 'PayPal-Request-Id');
  const units = readUnits(account, body.purchase_units);
  const isAsking = isHash(source) && source.vault_id === undefined;
  const context = isHash(source) ? source.experience_context : body.application_context;
  const returnUrl = textAt(context, 'return_url');
  const cancelUrl = textAt(context, 'cancel_url');
  if (at(source, 'attributes', 'vault', 'store_in_vault') !== undefined && !returnUrl)
    throw isRefused(422, 'RETURN_URL_REQUIRED', '/payment_source/paypal/experience_context/return_url');
  const order: Order = {
    id,
    intent: 'CAPTURE',
    status: isAsking ? 'PAYER_ACTION_REQUIRED' : 'CREATED',
    ...(isAsking ? { payment_source: { paypal: {} } } : {}),
    purchase_units: units,
    create_time: toTime(world.nowMs),
    links: [],
  };
  order.links = toLinks(world, order);
  const row = insert(world, 'order', account, id, order, {
    ...(returnUrl ? { returnUrl } : {}),
    ...(cancelUrl ? { cancelUrl } : {}),
    isVaulted: at(source, 'attributes', 'vault', 'store_in_vault') === 'ON_SUCCESS',
    ...(textAt(source, 'attributes', 'customer', 'id')
      ? { customer: textAt(source, 'attributes', 'customer', 'id') ?? '' }
      : {}),
  });
  // The guide's one call: an order with a stored payer is captured at once.
  if (isHash(source) && source.vault_id !== undefined) payByToken(call, row, source);
  return { status: 201, body: call.isWhole ? row.data : toShort(row.data) };
}

function readUnits(account: Account, given: unknown): Unit[] {
  if (!Array.isArray(given) || given.length === 0)
    throw isRefused(400, 'MISSING_REQUIRED_PARAMETER', '/purchase_units');
  if (given.length > UNITS_MAX) throw isRefused(400, 'INVALID_ARRAY_MAX_ITEMS', '/purchase_units');
  return given.map((unit, index) => {
    const place = `/purchase_units/${index}`;
    if (!isHash(unit) || unit.amount === undefined)
      throw isRefused(400, 'MISSING_REQUIRED_PARAMETER', `${place}/amount`);
    return {
      reference_id: textAt(unit, 'reference_id') ?? 'default',
      amount: readMoney(unit.amount, `${place}/amount`),
      payee: { email_address: `merchant-${account.id}@business.example.com`, merchant_id: account.id },
      ...readText(unit, 'description', 127, place),
      ...readText(unit, 'custom_id', 255, place),
      ...readText(unit, 'invoice_id', 127, place),
      ...readText(unit, 'soft_descriptor', 22, place),
    };
  });
}

function readText(unit: unknown, name: string, max: number, place: string): Record<string, string> {
  const text = textAt(unit, name);
  if (text === undefined) return {};
  if (text.length < 1 || text.length > max) throw isRefused(400, 'INVALID_STRING_LENGTH', `${place}/${name}`);
  return { [name]: text };
}

function toLinks(world: World, order: Order): Order['links'] {
  const self = toLink(world, `/v2/checkout/orders/${order.id}`, 'self');
  if (order.status === 'COMPLETED') return [self];
  const capture = toLink(world, `/v2/checkout/orders/${order.id}/capture`, 'capture', 'POST');
  const page = `/checkoutnow?token=${order.id}`;
  if (order.status === 'APPROVED') return [self, capture];
  if (order.status === 'PAYER_ACTION_REQUIRED') return [self, toLink(world, page, 'payer-action')];
  const update = toLink(world, `/v2/checkout/orders/${order.id}`, 'update', 'PATCH');
  return [self, toLink(world, page, 'approve'), update, capture];
}

function toShort({ id, status, payment_source, links }: Order): object {
  return { id, status, ...(payment_source ? { payment_source } : {}), links };
}

export function read({ world, account, ids }: Call): Answered {
  return { status: 200, body: findOrder(world, account, ids[0] ?? '').data };
}

function findOrder(world: World, account: Account, id: string): Row<Order> {
  const row = find(world, 'order', account, id);
  const isOver = world.nowMs - row.hidden.createdMs >= LIFE_MS;
  if (isOver && row.data.status !== 'COMPLETED') throw isMissing();
  return row;
}

export function capture(call: Call): Answered {
  const { world, account, ids, body } = call;
  const row = findOrder(world, account, ids[0] ?? '');
  if (row.data.status === 'COMPLETED') throw isRefused(422, 'ORDER_ALREADY_CAPTURED');
  const source = at(body, 'payment_source', 'paypal');
  if (isHash(source)) payByToken(call, row, source);
  else {
    if (row.data.status !== 'APPROVED') throw isRefused(422, 'ORDER_NOT_APPROVED');
    pay(call, row, row.hidden.funding ?? 'balance');
  }
  return { status: 201, body: call.isWhole ? row.data : toPaid(row.data) };
}

function toPaid({ id, status, payment_source, payer, purchase_units, links }: Order): object {
  const units = purchase_units.map(({ reference_id, payments }) => ({ reference_id, payments }));
  return { id, status, payment_source, purchase_units: units, payer, links };
}

/** A stored payer pays without being there. */
function payByToken(call: Call, row: Row<Order>, source: Record<string, unknown>): void {
  const { world, account } = call;
  const token = look(world, 'payment_token', account, textAt(source, 'vault_id') ?? '');
  if (!token) throw isRefused(422, 'TOKEN_ID_NOT_FOUND', '/payment_source/paypal/vault_id');
  const funding = token.hidden.funding ?? 'balance';
  if (token.hidden.mustAuthenticate) throw isRefused(422, 'PAYER_ACTION_REQUIRED');
  row.data.payer = PAYER;
  row.data.payment_source = { paypal: { ...toWallet(token) } };
  pay(call, row, funding);
}

function toWallet({ data }: Row<PaymentToken>): Record<string, unknown> {
  const { email_address, account_id, name, address } = data.payment_source.paypal;
  return { email_address, account_id, name, address };
}

function pay(call: Call, row: Row<Order>, funding: Funding): void {
  const { world, account } = call;
  if (funding === 'declined') {
    // The payer chooses another way on the page, if it was one that was there.
    throw isRefused(422, 'INSTRUMENT_DECLINED');
  }
  for (const unit of row.data.purchase_units) {
    const made = takeCapture(world, account, row, unit, funding, call.take);
    unit.payments = { captures: [made.data] };
  }
  row.data.status = 'COMPLETED';
  row.data.update_time = toTime(world.nowMs);
  row.data.links = toLinks(world, row.data);
  if (row.hidden.isVaulted && row.data.payment_source) {
    const token = vaultPayer(world, account, row.hidden.customer, funding);
    row.data.payment_source.paypal.attributes = {
      vault: {
        id: token.id,
        status: 'VAULTED',
        customer: token.data.customer,
        links: token.data.links,
      },
    };
  }
  save(world, 'order', row);
}

/** The payer said yes on PayPal's page: nothing is taken by that. */
export function approve(world: World, account: Account, row: Row<Order>, funding: Funding): void {
  row.data.status = 'APPROVED';
  row.data.payer = PAYER;
  row.data.payment_source = {
    paypal: {
      email_address: PAYER.email_address,
      account_id: PAYER.payer_id,
      account_status: 'VERIFIED',
      name: PAYER.name,
      address: PAYER.address,
    },
  };
  row.data.update_time = toTime(world.nowMs);
  row.data.links = toLinks(world, row.data);
  row.hidden.funding = funding;
  save(world, 'order', row);
  emit(
    world,
    account,
    'CHECKOUT.ORDER.APPROVED',
    'checkout-order',
    row.data,
    'An order has been approved by buyer',
  );
}
