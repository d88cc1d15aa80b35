/**
 * The yardstick: what a patient programmer gets out of `node:http` and `pg` for the same SELECT and the same
 * JSON. It prepares its statements, checks nobody's keys, validates nothing and sends no further headers.
 */
import http from 'node:http';
import pg from 'pg';
import { v7 } from 'uuid';
import { replayChange } from './bare-change.mjs';

const POOL_SIZE = 20;

// Counts, times and money of this bench are within what a number holds.
for (const oid of [20, 1700]) pg.types.setTypeParser(oid, Number);

const PAYMENT = `
  select p.id, p.type, p.number, p.status, p.value, p.tax, p.fee, p.refunded_value, p.currency, p.created_at,
    p.user_id, p.order_id, p.order_number, p.checkout_id, p.discount, p.invoice_number, p.pay_token,
    u.username, o.status as order_status, s.status as subscription_status, (
      select coalesce(jsonb_agg(jsonb_build_object(
        'object', 'charge', 'id', c.id, 'status', c.status, 'amount', c.amount, 'currency', c.currency,
        'createdAt', c.created_at, 'ipAddress', c.ip_address, 'paymentMethod', c.payment_method,
        'failure', case when c.status = 'failed' then jsonb_build_object('decline', coalesce(c.decline, 'technical'),
          'reason', coalesce(c.decline_reason, 'unknown'), 'message', coalesce(c.decline_message, '')) end,
        'hold', null, 'taken', null, 'reversedAt', c.reversed_at,
        'byHand', c.processor = 'manual' and c.connection_id is not null, 'expectedBy', c.expected_by) order by c.created_at, c.id), '[]')
      from charges c
      where c.workspace_id = p.workspace_id and c.test_mode = p.test_mode and c.payment_id = p.id) as charges, (
      select coalesce(jsonb_agg(jsonb_build_object(
        'object', 'item', 'id', i.id, 'name', i.name, 'value', i.unit_price, 'quantity', i.quantity,
        'currency', p.currency, 'subtotal', i.subtotal, 'discount', i.discount, 'tax', i.tax, 'total', i.total,
        'inclusive', i.inclusive, 'taxReason', i.tax_reason, 'taxRates', i.tax_rates, 'product', i.product,
        'variant', i.variant, 'plan', null, 'offer', i.offer, 'internalId', null, 'customFields', i.custom_fields,
        'keys', '[]'::jsonb, 'fulfilment', i.fulfilment) order by i.position, i.id), '[]')
      from order_items i
      where i.workspace_id = p.workspace_id and i.test_mode = p.test_mode and i.order_id = p.order_id) as items
  from payments p
  join users u on u.workspace_id = p.workspace_id and u.test_mode = p.test_mode and u.id = p.user_id
  join orders o on o.workspace_id = p.workspace_id and o.test_mode = p.test_mode and o.id = p.order_id
  left join subscriptions s
    on s.workspace_id = p.workspace_id and s.test_mode = p.test_mode and s.id = p.subscription_id
  where p.workspace_id = $1 and p.test_mode = $2 and p.id = $3`;

const ORDERS = `
  select o.id, o.number, o.status, o.type, o.value, o.tax, o.fee, o.refunded_value, o.total_items, o.country,
    o.currency, o.created_at, o.paid_at, o.user_id, o.checkout_id, o.discount, o.last_payment_id,
    o.subscription_id, o.archived_at, o.reference, o.corrected_at,
    o.withdrawable_until, u.username, l.number as last_number, l.type as last_type,
    l.status as last_status, l.value as last_value, l.currency as last_currency, s.status as subscription_status,
    u.email as user_email, (
      select jsonb_build_object(
        'sold', coalesce(jsonb_agg(jsonb_build_object('name', i.name, 'product', i.product ->> 'name',
          'variant', i.variant ->> 'name') order by i.position) filter (where i.position < 3), '[]'),
        'fields', coalesce((array_agg(i.custom_fields order by i.position))[1], '{}'),
        'fulfilment', (array['awaiting_stock', 'waiting', 'delivered', 'revoked', 'none'])[
          min(array_position(array['awaiting_stock', 'waiting', 'delivered', 'revoked', 'none'], i.fulfilment))])
      from order_items i
      where i.workspace_id = o.workspace_id and i.test_mode = o.test_mode and i.order_id = o.id) as beside
  from orders o
  join users u on u.workspace_id = o.workspace_id and u.test_mode = o.test_mode and u.id = o.user_id
  left join payments l
    on l.workspace_id = o.workspace_id and l.test_mode = o.test_mode and l.id = o.last_payment_id
  left join subscriptions s
    on s.workspace_id = o.workspace_id and s.test_mode = o.test_mode and s.id = o.subscription_id
  where o.workspace_id = $1 and o.test_mode = $2 and o.archived_at is null
  order by o.created_at desc, o.id desc limit $3`;

const COUNT = `
  select count(*) as count from (
    select 1 from orders where workspace_id = $1 and test_mode = $2 and archived_at is null limit $3) as found`;
const COUNT_MAX = 10_000;

// A bench that was killed leaves it alone.
process.once('disconnect', () => process.exit());
/** The statements that a POST sends, and the rows that each is to change in the place of those recorded. */
let change = null;

process.once('message', ({ databaseUrl, workspaceId }) => {
  process.on('message', (message) => {
    change = { ...message.change, count: 0 };
    process.send({ isReady: true });
  });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_SIZE, application_name: 'bare' });
  const server = http.createServer((request, response) => {
    const answered =
      request.method === 'POST' ? alter(pool, request) : answer(pool, workspaceId, request.url);
    answered.then(
      (body) => {
        response.writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
        });
        response.end(body);
      },
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1', () => {
    process.send({ origin: `http://127.0.0.1:${server.address().port}` });
  });
  process.once('SIGTERM', () => process.exit(0));
});

async function alter(pool, request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  JSON.parse(text);
  const { statements, targets = [], count } = change;
  change.count += 1;
  await replayChange(pool, { statements, newId: v7, targets: targets[count % targets.length] });
  return JSON.stringify({ status: 'success', data: {} });
}

/** Reads of the live store: those of a test store are kept for whoever is building. */
async function answer(pool, workspaceId, url) {
  if (url.startsWith('/v0/payments/')) {
    const values = [workspaceId, false, url.slice('/v0/payments/'.length)];
    const { rows } = await pool.query({ name: 'payment', text: PAYMENT, values });
    return JSON.stringify({ status: 'success', data: { payment: toPayment(rows[0]), items: rows[0].items } });
  }
  const take = Number(new URLSearchParams(url.slice(url.indexOf('?'))).get('take'));
  const [{ rows }, counted] = await Promise.all([
    pool.query({ name: 'orders', text: ORDERS, values: [workspaceId, false, take + 1] }),
    pool.query({ name: 'count', text: COUNT, values: [workspaceId, false, COUNT_MAX + 1] }),
  ]);
  const { count } = counted.rows[0];
  const orders = rows.slice(0, take);
  const last = orders.at(-1);
  const cursor = Buffer.from(JSON.stringify([last.created_at, last.id])).toString('base64url');
  const data = {
    orders: orders.map(toOrder),
    count: count > COUNT_MAX ? null : count,
    cursor,
    previousCursor: null,
    hasMore: rows.length > take,
  };
  return JSON.stringify({ status: 'success', data });
}

function toPayment(row) {
  return {
    object: 'payment',
    id: row.id,
    type: row.type,
    number: row.number,
    status: row.status,
    value: row.value,
    tax: row.tax,
    fee: row.fee,
    refundedValue: row.refunded_value,
    currency: row.currency,
    currencyDecimals: 2,
    createdAt: row.created_at,
    userId: row.user_id,
    user: { object: 'user', id: row.user_id, username: row.username },
    orderId: row.order_id,
    orderNumber: row.order_number,
    order: { object: 'order', id: row.order_id, number: row.order_number, status: row.order_status },
    subscriptionId: null,
    subscription: null,
    checkoutId: row.checkout_id,
    discount: row.discount,
    invoiceNumber: row.invoice_number,
    invoiceUrl: null,
    payUrl: null,
    charges: row.charges,
  };
}

function toOrder(row) {
  return {
    object: 'order',
    id: row.id,
    number: row.number,
    orderNumber: row.number,
    status: row.status,
    type: row.type,
    value: row.value,
    tax: row.tax,
    fee: row.fee,
    refundedValue: row.refunded_value,
    totalItems: row.total_items,
    country: row.country,
    currency: row.currency,
    currencyDecimals: 2,
    createdAt: row.created_at,
    paidAt: row.paid_at,
    userId: row.user_id,
    user: { object: 'user', id: row.user_id, username: row.username },
    checkoutId: row.checkout_id,
    discount: row.discount,
    lastPaymentId: row.last_payment_id,
    lastPaymentNumber: row.last_number,
    lastPayment: {
      object: 'payment',
      id: row.last_payment_id,
      type: row.last_type,
      number: row.last_number,
      status: row.last_status,
      value: row.last_value,
      currency: row.last_currency,
    },
    subscriptionId: null,
    subscription: null,
    reference: row.reference,
    correctedAt: row.corrected_at,
    consents: [],
    withdrawableUntil: row.withdrawable_until,
    imported: null,
    archivedAt: row.archived_at,
    userEmail: row.user_email,
    itemNames: row.beside.sold.map(({ name }) => name),
    // Of the one kind of thing that is sold here: without variants, and named as its product.
    itemNotes: row.beside.sold.map(({ name, product }) => (name.includes(product) ? null : product)),
    customFields: row.beside.fields,
    fulfilment: row.beside.fulfilment ?? 'none',
  };
}
