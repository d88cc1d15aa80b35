/** What is read of each service's API: by GET alone. */
import { at, isItem, listAt, toRef } from '../values.ts';
import type { Api, List, Page } from './lists.ts';

/** The version whose answers have periods and discounts on the subscription itself. */
const STRIPE_VERSION = '2024-06-20';

const stripeList = (name: string, query = ''): List => ({
  name,
  path: `/v1/${name}?limit=100${query}`,
  readPage: (body, path): Page => {
    const items = listAt(body, 'data');
    const last = toRef(items.at(-1)?.id);
    const [before] = path.split('&starting_after=');
    const next =
      body.has_more === true && last !== null ? `${before}&starting_after=${encodeURIComponent(last)}` : null;
    return { items, next };
  },
});

const STRIPE: Api = {
  host: 'https://api.stripe.com',
  headers: (key) => ({ authorization: `Bearer ${key}`, 'stripe-version': STRIPE_VERSION }),
  lists: [
    { name: 'accounts', path: '/v1/account', readPage: (body) => ({ items: [body], next: null }) },
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
  readPage: (body): Page => {
    const next =
      at(body, 'meta', 'pagination', 'has_more') === true ? at(body, 'meta', 'pagination', 'next') : null;
    return { items: listAt(body, 'data'), next: toOwnPath(next) };
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
  readPage: (body): Page => ({
    items: listAt(body, 'data').filter(isItem),
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
