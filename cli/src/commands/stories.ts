/** The stories of test mode that make each type of event happen to real objects. */
import { randomUUID } from 'node:crypto';
import type { Call } from '../call.ts';
import { CommandError, EXIT, type Io } from '../io.ts';
import { advanceClock } from './clock.ts';

const CARD_DECLINED = '4000000000000002';
const BUYER = { billingDetails: { countryCode: 'DE', postalCode: '10115' }, consent: true };
/** Made once in a test store, and used again. */
const ONCE = { name: 'Sample of the command line', type: 'OneTimePayment', prices: [1999] };
const PLAN = { name: 'Sample plan of the command line', type: 'Subscription', prices: [900, 1900] };

export interface Made {
  order: { number: string };
  payment: { id: string };
  subscription: { id: string } | null;
}

interface Telling {
  io: Io;
  call: Call;
}

type Story = (telling: Telling) => Promise<Made>;

const buyPlan = async ({ call }: Telling, [first = '']: string[]) => buy(call, { offersIds: [first] });

/** By type; what a service of another version tells beside these can be had by `--sample`. */
export const STORIES: Readonly<Record<string, Story>> = {
  payment_success: async ({ call }) => buy(call, { offersIds: await findOffers(call, ONCE) }),
  payment_failed: async ({ call }) =>
    buy(call, { offersIds: await findOffers(call, ONCE), card: CARD_DECLINED }),
  payment_refunded: async ({ call }) => {
    const made = await buy(call, { offersIds: await findOffers(call, ONCE) });
    await call({ method: 'POST', path: `/v0/orders/${made.order.number}/refunds`, body: {} });
    return made;
  },
  subscription_created: async (telling) => buyPlan(telling, await findOffers(telling.call, PLAN)),
  subscription_updated: async (telling) => {
    const offers = await findOffers(telling.call, PLAN);
    const made = await buyPlan(telling, offers);
    await change(telling.call, made, { verb: 'update', body: { offerId: offers[1] } });
    return made;
  },
  subscription_cancelled: async (telling) => {
    const made = await buyPlan(telling, await findOffers(telling.call, PLAN));
    await change(telling.call, made, { verb: 'cancel', body: { cancelAtIntervalEnd: false } });
    return made;
  },
  subscription_interval: async (telling) => {
    const made = await buyPlan(telling, await findOffers(telling.call, PLAN));
    await advanceClock(telling.io, { call: telling.call, body: { by: { months: 1 } } });
    return made;
  },
};

/** Moves the clock, and with it all that waits in the test store. */
export const MOVES_CLOCK: ReadonlySet<string> = new Set(['subscription_interval']);

async function buy(call: Call, terms: object): Promise<Made> {
  const userEmail = `sample-${randomUUID().slice(0, 8)}@example.com`;
  const customFields = await answerRequired(call);
  const body = { ...BUYER, customFields, userEmail, ...terms };
  return (await call({ method: 'POST', path: '/v0/test-purchases/create', body })) as unknown as Made;
}

interface AskedField {
  key: string;
  required: boolean;
  type: string;
  options?: Array<string | { value: string }> | null;
}

/** Something for each question that a merchant's buyers have to answer. */
async function answerRequired(call: Call): Promise<Record<string, string>> {
  const query = new URLSearchParams({ take: '100' });
  const { customFields } = (await call({ method: 'GET', path: '/v0/custom-fields/list', query })) as {
    customFields: AskedField[];
  };
  const required = customFields.filter((field) => field.required);
  return Object.fromEntries(required.map((field) => [field.key, toAnswer(field)]));
}

function toAnswer({ type, options }: AskedField): string {
  const [first] = options ?? [];
  if (first !== undefined) return typeof first === 'string' ? first : first.value;
  return ({ number: '1', checkbox: 'true', boolean: 'true' } as Record<string, string>)[type] ?? 'sample';
}

function change(call: Call, { subscription }: Made, { verb, body }: { verb: string; body: object }) {
  if (!subscription) throw new CommandError(EXIT.bug, 'The plan was bought without a subscription.');
  return call({ method: 'PATCH', path: `/v0/subscriptions/${subscription.id}/${verb}`, body });
}

/** Of the product of that name, from the cheapest on; it is made where it is not there. */
async function findOffers(call: Call, wanted: typeof ONCE): Promise<string[]> {
  const query = new URLSearchParams({ term: wanted.name, statuses: 'active' });
  const { products } = (await call({ method: 'GET', path: '/v0/products/list', query })) as {
    products: Array<{ id: string; name: string }>;
  };
  const found = products.find(({ name }) => name === wanted.name);
  const offers = found ? await listOffers(call, found.id) : [];
  if (offers.length >= wanted.prices.length) return offers;
  const recurring =
    wanted.type === 'Subscription' ? { recurringInterval: 'month', recurringIntervalCount: 1 } : {};
  const currency = await findCurrency(call);
  const body = {
    ...{ name: wanted.name, type: wanted.type },
    offers: wanted.prices.map((price) => ({ price, currency, ...recurring })),
  };
  const { product } = (await call({ method: 'POST', path: '/v0/products/create', body })) as {
    product: { id: string };
  };
  return listOffers(call, product.id);
}

/** A store sells in one, which its first offer has set. */
async function findCurrency(call: Call): Promise<string> {
  const query = new URLSearchParams({ take: '1' });
  const { offers } = (await call({ method: 'GET', path: '/v0/offers/list', query })) as {
    offers: Array<{ currency: string }>;
  };
  return offers[0]?.currency ?? 'EUR';
}

async function listOffers(call: Call, product: string): Promise<string[]> {
  const query = new URLSearchParams({ product, statuses: 'active' });
  const { offers } = (await call({ method: 'GET', path: '/v0/offers/list', query })) as {
    offers: Array<{ id: string; price: number }>;
  };
  return offers.sort((a, b) => a.price - b.price).map(({ id }) => id);
}
