/** Tools that find what a store holds, and tell its whole story. */
import { Type } from 'typebox';
import { ID_OR_NUMBER, WHOLE_ID } from '../../domain/numbers.ts';
import { StringEnum } from '../../resources/shapes.ts';
import { ask, type Caller, ToolRefusal } from '../caller.ts';
import { flag, inner, integer, list, money, object, ROWS_MAX, text } from '../parts.ts';
import { tool } from '../tool.ts';
import {
  customer,
  entry,
  item,
  order,
  owned,
  payment,
  refund,
  shortOrder,
  shortSubscription,
  subscription,
  TAKE,
  upcoming,
} from './stories.ts';

const KINDS = ['orders', 'payments', 'users', 'subscriptions', 'products'] as const;
const OBJECTS = {
  orders: 'order',
  payments: 'payment',
  users: 'user',
  subscriptions: 'subscription',
  products: 'product',
};

const Term = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
const closed = { additionalProperties: false };

const One = Type.Object(
  {
    id: Term('Its id, its number, or the e-mail address of the customer, who is then shown with the newest.'),
  },
  closed,
);

const search = tool({
  name: 'search',
  title: 'Search the store',
  description:
    'Finds orders, payments, customers, subscriptions and products by a number, an id, the beginning of an e-mail ' +
    'address, or words.',
  kind: 'read',
  areas: [],
  input: Type.Object(
    {
      term: Term('What is looked for.'),
      kinds: Type.Optional(
        Type.Array(StringEnum(KINDS), { maxItems: KINDS.length, description: 'Only these.' }),
      ),
    },
    closed,
  ),
  output: object({
    found: list(
      'found',
      object({ kind: text('kind'), id: text('id'), title: text('title'), subtitle: text('subtitle') }),
      'What was found, of each kind.',
    ),
  }),
  run: async ({ caller, args: { term, kinds = KINDS } }) => {
    const { groups } = await ask(caller, 'GET /v0/search', { query: { q: term, take: 20 } });
    const found = (groups as Array<{ object: string; hits: object[] }>).flatMap(({ object: kind, hits }) =>
      kinds.some((one) => OBJECTS[one] === kind) ? hits.map((hit) => ({ ...hit, kind })) : [],
    );
    return { data: { found } };
  },
});

const getOrder = tool({
  name: 'get_order',
  title: 'Tell the story of an order',
  description:
    'An order with its items, its payments with each try and why it was declined, its refunds, and what happened to it. ' +
    'By an e-mail address: the newest order of that customer.',
  kind: 'read',
  areas: ['orders'],
  input: One,
  output: object({
    order: inner('order', order),
    items: list('items', item, 'What was bought.'),
    payments: list('payments', payment, 'With each try to take the money.'),
    refunds: list('refunds', refund, 'What was given back.'),
    events: list('entries', entry, 'What happened, newest first.'),
  }),
  run: async ({ caller, args: { id } }) => {
    const number = encodeURIComponent(await toOrderId(caller, id));
    const story = await ask(caller, `GET /v0/orders/${number}`);
    const timeline = await ask(caller, `GET /v0/timeline/orders/${number}`, {
      query: { take: TAKE },
      orNull: true,
    });
    return { data: { ...story, ...timeline } };
  },
});

const getCustomer = tool({
  name: 'get_customer',
  title: 'Tell the story of a customer',
  description:
    'A customer with their orders, subscriptions, what they own, and what happened. By id, e-mail address, or the number ' +
    'of an order of theirs.',
  kind: 'read',
  areas: ['users'],
  input: One,
  output: object({
    customer: inner('user', customer),
    orders: list('orders', shortOrder, 'Newest first.'),
    subscriptions: list('subscriptions', shortSubscription, 'Newest first.'),
    owns: list('inventory', owned, 'What they have bought, and whether it is theirs now.'),
    events: list('entries', entry, 'What happened, newest first.'),
  }),
  run: async ({ caller, args: { id } }) => {
    const userId = await toUserId(caller, id);
    const of = { userId, take: TAKE };
    return {
      data: {
        ...(await ask(caller, `GET /v0/users/${userId}`)),
        ...(await ask(caller, 'GET /v0/orders/list', { query: of, orNull: true })),
        ...(await ask(caller, 'GET /v0/subscriptions/list', {
          query: { ...of, statuses: ['all'] },
          orNull: true,
        })),
        ...(await ask(caller, `GET /v0/users/${userId}/inventory`, { query: { limit: TAKE }, orNull: true })),
        ...(await ask(caller, `GET /v0/timeline/users/${userId}`, { query: { take: TAKE }, orNull: true })),
      },
    };
  },
});

const getSubscription = tool({
  name: 'get_subscription',
  title: 'Tell the story of a subscription',
  description:
    'A subscription with its items, the last payment with each try, the next payment, and what happened to it. By its ' +
    'number, or the e-mail address of its customer: the newest one.',
  kind: 'read',
  areas: ['subscriptions'],
  input: One,
  output: object({
    subscription: inner('subscription', subscription),
    lastPayment: inner('lastPayment', payment),
    upcomingPayment: inner('upcomingPayment', upcoming),
    events: list('entries', entry, 'What happened, newest first.'),
  }),
  run: async ({ caller, args: { id } }) => {
    const number = encodeURIComponent(await toSubscriptionId(caller, id));
    const path = `/v0/subscriptions/${number}`;
    const story = await ask(caller, `GET ${path}`);
    return {
      data: {
        ...story,
        ...(await ask(caller, `GET ${path}/upcoming-payment`).catch(orNothing)),
        ...(await ask(caller, `GET /v0/timeline/subscriptions/${number}`, {
          query: { take: TAKE },
          orNull: true,
        })),
      },
    };
  },
});

const listCatalogue = tool({
  name: 'list_catalogue',
  title: 'List what is sold',
  description:
    'Products and offers whose name has the words, with prices, what was sold, and what is in stock.',
  kind: 'read',
  areas: ['products', 'offers'],
  input: Type.Object({ term: Type.Optional(Term('A part of the name; missing: all.')) }, closed),
  output: object({
    products: list(
      'products',
      object({
        id: text('id'),
        name: text('name'),
        type: text('type'),
        status: text('status'),
        description: text('description'),
        offers: integer('offerCount', 'How many offers sell it.'),
        stock: integer('stock', 'Keys that are left; null where none are stocked.'),
      }),
      'Newest first.',
    ),
    offers: list(
      'offers',
      object({
        id: text('id'),
        productId: text('productId'),
        name: text('name'),
        price: money('price', 'Of one.'),
        interval: text('recurringInterval', 'Of a subscription.'),
        intervalCount: integer('recurringIntervalCount', 'How many of these make one interval.'),
        trial: text('trialInterval'),
        trialCount: integer('trialIntervalCount', 'How many of these make the trial.'),
        status: text('status'),
        sold: integer('soldItems', 'How many were sold.'),
        limit: integer('limit', 'How many may be sold in all; null: any number.'),
        isFree: flag('freeProduct', 'Whether it costs nothing.'),
      }),
      'Newest first.',
    ),
  }),
  run: async ({ caller, args: { term } }) => {
    const query = { take: TAKE, ...(term === undefined ? {} : { term }) };
    const { products } = await ask(caller, 'GET /v0/products/list', { query });
    const { offers } = await ask(caller, 'GET /v0/offers/list', { query });
    return { data: { products, offers } };
  },
});

export const FINDING = [search, getOrder, getCustomer, getSubscription, listCatalogue];

const isEmail = (id: string) => id.includes('@');

const notFound = (noun: string, id: string) =>
  new ToolRefusal({ status: 404, code: 'not_found', message: `There is no ${noun} ${id}.` });

const orNothing = (error: unknown): null => {
  if (error instanceof ToolRefusal && error.told.status < 500 && error.told.status !== 429) return null;
  throw error;
};

const NAME = new RegExp(ID_OR_NUMBER);

/** An id or a number, without its sign: what is neither would name another page of the API. */
function toName(noun: string, id: string): string {
  if (!NAME.test(id.trim())) throw notFound(noun, id);
  return id.trim().replace(/^#/, '');
}

export async function toOrderId(caller: Caller, id: string): Promise<string> {
  if (!isEmail(id)) return toName('order', id);
  const userId = await toUserId(caller, id);
  const { orders } = await ask(caller, 'GET /v0/orders/list', { query: { userId, take: 1 } });
  const [newest] = orders as Array<{ id: string }>;
  if (!newest) throw notFound('order of', id);
  return newest.id;
}

export async function toSubscriptionId(caller: Caller, id: string): Promise<string> {
  if (!isEmail(id)) return toName('subscription', id);
  const userId = await toUserId(caller, id);
  const query = { userId, take: 1, statuses: ['all'] };
  const { subscriptions } = await ask(caller, 'GET /v0/subscriptions/list', { query });
  const [newest] = subscriptions as Array<{ id: string }>;
  if (!newest) throw notFound('subscription of', id);
  return newest.id;
}

async function toUserId(caller: Caller, id: string): Promise<string> {
  if (isEmail(id)) {
    const { users } = await ask(caller, 'GET /v0/users/list', {
      query: { email: id, withArchived: true, take: ROWS_MAX },
    });
    const same = (users as Array<{ id: string; email: string | null }>).find(
      (one) => one.email?.toLowerCase() === id.trim().toLowerCase(),
    );
    if (!same) throw notFound('customer', id);
    return same.id;
  }
  if (WHOLE_ID.test(id)) return id;
  const { order: found } = await ask(caller, `GET /v0/orders/${toName('customer', id)}`);
  return (found as { userId: string }).userId;
}
