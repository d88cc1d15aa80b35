/** What is read of each service's API: by GET alone. */
import { at, type Item, isItem, toRef } from '../values.ts';
import { type Api, type List, type Page, toOddPage } from './lists.ts';

/** The version whose answers have periods and discounts on the subscription itself. */
const STRIPE_VERSION = '2024-06-20';

/** A list that ends without saying so would be taken for a whole one. */
function readItems(body: Item, path: string): Item[] {
  if (!isItem(body) || !Array.isArray(body.data)) throw toOddPage(path);
  return body.data.filter(isItem);
}

const stripeList = (name: string, query = ''): List => ({
  name,
  path: `/v1/${name}?limit=100${query}`,
  readPage: (body, path): Page => {
    const items = readItems(body, path);
    const last = toRef(items.at(-1)?.id);
    const [before] = path.split('&starting_after=');
    if (body.has_more !== true) return { items, next: null };
    if (last === null) throw toOddPage(path);
    return { items, next: `${before}&starting_after=${encodeURIComponent(last)}` };
  },
});

const readAccount: List['readPage'] = (body, path) => {
  if (!isItem(body) || toRef(body.id) === null) throw toOddPage(path);
  return { items: [body], next: null };
};

const STRIPE: Api = {
  host: 'https://api.stripe.com',
  headers: (key) => ({ authorization: `Bearer ${key}`, 'stripe-version': STRIPE_VERSION }),
  lists: [
    { name: 'accounts', path: '/v1/account', readPage: readAccount },
    stripeList('products'),
    stripeList('prices'),
    stripeList('coupons', '&expand[]=data.applies_to'),
    stripeList('promotion_codes'),
    stripeList('customers', '&expand[]=data.tax_ids&expand[]=data.invoice_settings.default_payment_method'),
    stripeList('subscriptions', '&expand[]=data.default_payment_method&expand[]=data.latest_invoice'),
    stripeList('disputes'),
  ],
};

const paddleList = (name: string, query = '', of?: List['of']): List => ({
  ...{ name, path: `/${name}?per_page=${name === 'transactions' ? 30 : 200}${query}` },
  ...(of ? { of } : {}),
  readPage: (body, path): Page => {
    const items = readItems(body, path);
    if (at(body, 'meta', 'pagination', 'has_more') !== true) return { items, next: null };
    const next = toOwnPath(at(body, 'meta', 'pagination', 'next'));
    if (next === null) throw toOddPage(path);
    return { items, next };
  },
});

/** The next page is asked of the same host, whichever the answer names. */
function toOwnPath(url: unknown): string | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** Of those who have a subscription: it names one of theirs. */
const ofCustomer = (name: string, idField: string): List['of'] => ({
  list: 'subscriptions',
  path: (item) =>
    item[idField] == null
      ? null
      : `/customers/${encodeURIComponent(String(item.customer_id))}/${name}?per_page=200`,
});

const ALL = '&status=active,archived';

const PADDLE: Api = {
  host: 'https://api.paddle.com',
  headers: (key) => ({ authorization: `Bearer ${key}`, 'paddle-version': '1' }),
  lists: [
    paddleList('products', ALL),
    paddleList('prices', ALL),
    paddleList('discounts', ALL),
    paddleList('customers', ALL),
    paddleList('subscriptions'),
    paddleList('addresses', '', ofCustomer('addresses', 'address_id')),
    paddleList('businesses', '', ofCustomer('businesses', 'business_id')),
    paddleList('transactions', '&status=completed,paid'),
  ],
};

const lemonList = (name: string): List => ({
  name: name.replaceAll('-', '_'),
  path: `/v1/${name}?page[size]=100`,
  readPage: (body, path): Page => ({
    items: readItems(body, path),
    next: toOwnPath(at(body, 'links', 'next')),
  }),
});

const LEMONSQUEEZY: Api = {
  host: 'https://api.lemonsqueezy.com',
  headers: (key) => ({ authorization: `Bearer ${key}`, accept: 'application/vnd.api+json' }),
  lists: [
    ...['stores', 'products', 'variants', 'prices', 'discounts', 'customers', 'orders', 'order-items'],
    ...['license-keys', 'subscriptions', 'subscription-invoices'],
  ].map(lemonList),
};

export const APIS: Readonly<Record<string, Api>> = {
  stripe: STRIPE,
  paddle: PADDLE,
  lemonsqueezy: LEMONSQUEEZY,
};
