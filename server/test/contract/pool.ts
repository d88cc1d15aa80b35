/** The ids of one store by what they are ids of; grows with what the fuzzer's requests make. */
import { randomUUID } from 'node:crypto';
import { toSandboxConnectionId } from '../../src/providers/payment/sandbox/sandbox-connection.ts';
import { buy } from '../support/buying.ts';
import { takeOtherNext } from '../support/faulty-processor.ts';
import type { TestApp, TestStore } from '../support/harness.ts';
import { toFile } from '../support/importing.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { keepReport, keepTold } from '../support/telling-processor.ts';

export interface Pool {
  /** `owner` is what a variant or a key belongs to: it is part of its address. */
  add(kind: string, id: string, owner?: string): void;
  /** The n-th newest id of the kind; an id that nobody has where the kind is empty. */
  pick(kind: string, n: number): string;
  pickOwner(kind: string, n: number): string;
  size(kind: string): number;
}

const KEPT_MAX = 40;

export function createPool(): Pool {
  const byKind = new Map<string, string[]>();
  const owners = new Map<string, string>();
  function pick(kind: string, n: number): string {
    const ids = byKind.get(kind) ?? [];
    return ids[n % (ids.length || 1)] ?? randomUUID();
  }
  return {
    add(kind, id, owner) {
      if (owner !== undefined) owners.set(id, owner);
      const ids = byKind.get(kind) ?? [];
      if (!ids.includes(id)) ids.unshift(id);
      byKind.set(kind, ids.slice(0, KEPT_MAX));
    },
    pick,
    pickOwner: (kind, n) => owners.get(pick(kind, n)) ?? randomUUID(),
    size: (kind) => byKind.get(kind)?.length ?? 0,
  };
}

/** Objects that a merchant has: of everything that has an id, something in each state that is easily had. */
export async function fill(store: TestStore, pool: Pool): Promise<void> {
  await archiveRequired(store);
  const make = async (path: string, body: Record<string, unknown>) => {
    const answer = await store.post(path, body);
    if (answer.status === 200) harvest(pool, answer.body.data);
    return answer.body.data;
  };
  const offers = await makeCatalogue(store, pool, make);
  if (store.scope.testMode) await makeSales(store, pool, offers);
  if (store.scope.testMode) await makeStatements(store, pool);
  await make('/v0/checkout-sessions/create', { offersIds: offers.once.slice(0, 1), reference: 'cart-1' });
  await make('/v0/webhooks/create', { url: 'http://127.0.0.1:9/hook', events: ['payment_success'] });
  await make('/v0/listeners/create', { name: 'laptop', events: ['payment_success'] });
  await make('/v0/processors/connect', { kind: 'manual', name: 'Bank', instructions: { en: 'Ask.' } });
  await make('/v0/custom-fields/create', { key: 'guild', label: 'Guild', type: 'text', required: false });
  const file = Buffer.from(toFile([]));
  const headers = { 'content-type': 'application/jsonl' };
  const planned = await store.request('POST', '/v0/imports/create', { body: file, headers });
  if (planned.status === 200) pool.add('import', planned.body.data.import.id);
  const events = (await store.get('/v0/events/list')).body.data.events as Array<{ id: string }>;
  for (const { id } of events) pool.add('event', id);
  const mails = (await store.get('/v0/mails/list')).body.data.mails as Array<{ id: string }>;
  for (const { id } of mails) pool.add('mail', id);
}

/** What was told, charges that wait for a decision, and refunds that are given back by hand: faults of the processor make them. */
export async function fillHeld(app: TestApp, pool: Pool): Promise<void> {
  const store = app.test;
  await archiveRequired(store);
  const offerId = await makeOffer(store);
  const hold = async (other: { amountMinor?: bigint; currency?: string }) => {
    takeOtherNext(app, other);
    const { body } = await buy(store, { offersIds: [offerId] });
    // Another request may have met the fault.
    const charge = body.data?.payment.charges[0];
    return charge?.hold === 'discrepancy' ? { id: String(charge.id), orderId: body.data.order.id } : null;
  };
  const connectionId = toSandboxConnectionId(store.scope.workspaceId);
  pool.add('processorEvent', await keepTold(app, store, connectionId), connectionId);
  pool.add('processorReport', await keepReport(app, store, connectionId), connectionId);
  for (let count = 0; count < 2; count += 1) {
    const held = await hold({ amountMinor: 1n });
    if (held) pool.add('chargeId', held.id);
    const foreign = await hold({ currency: 'USD' });
    if (!foreign) continue;
    await store.post(`/v0/charges/${foreign.id}/accept`, { note: 'A test.' });
    const { body } = await store.post(`/v0/orders/${foreign.orderId}/refunds`);
    if (body.data) pool.add('refundId', body.data.refund.id);
  }
}

/** A custom field that everybody must fill in ends every purchase that knows nothing of it. */
async function archiveRequired(store: TestStore): Promise<void> {
  const { body } = await store.get('/v0/custom-fields/list', { query: { take: '100' } });
  const fields = body.data.customFields as Array<{ id: string; required: boolean }>;
  for (const { id } of fields.filter(({ required }) => required))
    await store.patch(`/v0/custom-fields/${id}/archive`);
}

type Make = (path: string, body: Record<string, unknown>) => Promise<Record<string, unknown>>;

interface Offers {
  once: string[];
  plans: string[];
}

async function makeCatalogue(store: TestStore, pool: Pool, make: Make): Promise<Offers> {
  const productId = await makeProduct(store, { name: 'Rocket' });
  const once = [
    await makeOffer(store, { productId }),
    await makeOffer(store, { productId, price: 1, mutableQuantity: true }),
    await makeOffer(store, { productId, price: 0, freeProduct: true }),
    await makeOffer(store, { productId, limit: 5, taxBehavior: 'inclusive' }),
    await makeOffer(store, { productId, price: 5 }),
  ];
  const keyed = once[4] ?? '';
  await store.post(`/v0/offers/${keyed}/keys/add`, {
    productKeys: Array.from({ length: 20 }, (_, n) => `KEY-${n}`),
  });
  const { body: listed } = await store.get(`/v0/offers/${keyed}/keys/list`);
  const keys = listed.data.keys as Array<{ id: string }>;
  const plans = [
    await makePlanOffer(store),
    await makePlanOffer(store, { trialInterval: 'week', trialIntervalCount: 2 }),
    await makePlanOffer(store, { price: 99_900, recurringInterval: 'year' }),
    await makePlanOffer(store, { price: 500 }),
  ];
  // Known to the fuzzer from here on, which may archive them at any moment.
  pool.add('product', productId);
  for (const { id } of keys) pool.add('key', id, keyed);
  for (const id of [...plans, ...once]) pool.add('offer', id);
  for (const id of plans) pool.add('planOffer', id);
  await make(`/v0/products/${productId}/variants/add`, { name: 'Deluxe' });
  const club = await make('/v0/products/create', { type: 'Subscription', name: 'Club' });
  const { id: clubId } = club.product as { id: string };
  await make(`/v0/products/${clubId}/plans/add`, { name: 'Gold' });
  await make('/v0/elements/checkout/create', { offersIds: once.slice(0, 2) });
  await make('/v0/elements/checkout/create', { offersIds: plans.slice(0, 1) });
  const code = { type: 'code', discountCode: 'WELCOME', includesAllOffers: true };
  await make('/v0/discounts/create', { ...code, amount: 10, amountType: 'percentage', duration: 'forever' });
  await make('/v0/discounts/create', { ...code, discountCode: 'TEN', amount: 10, amountType: 'fixed' });
  return { once, plans };
}

async function makeSales(store: TestStore, pool: Pool, { once, plans }: Offers): Promise<void> {
  const people = ['ada@example.com', 'bob@example.com', 'cy@example.com'];
  const paymentData = { sandboxCustomerId: 'card_4242424242424242' };
  for (const [n, email] of people.entries()) {
    const billingDetails = { countryCode: n === 1 ? 'PL' : 'DE', postalCode: '10115' };
    const made = await store.post('/v0/users/create', { email, billingDetails, paymentData });
    if (made.status === 200) harvest(pool, made.body.data);
  }
  const purchases = [
    ...once.map((offerId) => ({ offersIds: [offerId] })),
    { offersIds: once.slice(0, 2), discountCode: 'WELCOME' },
    { offersIds: [once[0]], card: '4000000000000002' },
    { offersIds: [once[0]], card: '4000002500003155' },
    { offersIds: [once[0]], card: '4000000000000119' },
    ...plans.map((offerId) => ({ offersIds: [offerId] })),
    { offersIds: [plans[0]], card: '4000000000000341' },
    { offersIds: [plans[3]], discountCode: 'WELCOME' },
  ];
  for (const [n, body] of purchases.entries()) {
    const answer = await buy(store, { userEmail: people[n % people.length], ...body });
    if (answer.status === 200) harvest(pool, answer.body.data);
  }
}

/** What consumers have stated, of no order that anybody has: it waits for a decision. */
async function makeStatements(store: TestStore, pool: Pool): Promise<void> {
  const { portalSlug } = (await store.get('/v0/settings')).body.data.settings;
  const stated = { store: portalSlug, testMode: true, name: 'Ada', email: 'ada@example.com' };
  const state = (path: string, body: Record<string, unknown>) =>
    store.request('POST', path, { keys: 'none', body: { ...stated, ...body } });
  for (let count = 0; count < 2; count += 1) {
    const withdrawn = await state('/v0/portal/withdrawals', { orderNumber: 'NONE' });
    if (withdrawn.body.data) pool.add('withdrawalId', withdrawn.body.data.withdrawal.id);
    const cancelled = await state('/v0/portal/cancellation-notices', {
      type: 'ordinary',
      contractNumber: 'NONE',
    });
    if (cancelled.body.data) pool.add('noticeId', cancelled.body.data.notice.id);
  }
}

const KINDS: Readonly<Record<string, string>> = {
  product: 'product',
  variant: 'variant',
  plan: 'plan',
  offer: 'offer',
  discount: 'discount',
  checkoutElement: 'element',
  checkoutSession: 'checkoutSessionId',
  customField: 'customField',
  order: 'order',
  payment: 'payment',
  subscription: 'subscription',
  user: 'user',
  webhook: 'webhook',
  listener: 'listener',
  event: 'event',
  export: 'export',
  processor: 'processor',
  file: 'file',
};

/** Notes the ids of what an answer shows. */
export function harvest(pool: Pool, data: unknown): void {
  for (const [name, value] of Object.entries((data ?? {}) as Record<string, unknown>)) {
    const kind = KINDS[name];
    if (!kind || typeof value !== 'object' || value === null || !('id' in value)) continue;
    const object = value as Record<string, unknown> & { id: string };
    pool.add(kind, object.id, 'productId' in object ? String(object.productId) : undefined);
    if (kind === 'offer' && object.recurringInterval !== null) pool.add('planOffer', object.id);
    if (kind === 'payment' && object.status === 'PENDING') pool.add('openPayment', object.id);
    if (kind === 'product' && object.type === 'Subscription') pool.add('planProduct', object.id);
    if (kind === 'order' || kind === 'payment') pool.add(`${kind}Number`, String(object.number));
    if (kind === 'order') pool.add('user', String(object.userId));
  }
}
