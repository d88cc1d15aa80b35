/** One box that finds whatever a store holds, as far as whoever asks may read it. */
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { ID_OR_DOCUMENT_NUMBER, parseNumber, WHOLE_ID } from '../domain/numbers.ts';
import type { Area } from '../domain/roles.ts';
import { mayAccess } from '../http/may-do.ts';
import { type Route, read } from '../http/route.ts';
import {
  findByEmail,
  findById,
  findByKey,
  findByNumber,
  findByWords,
  findDocument,
  type Hit,
} from '../resources/search/search.queries.ts';
import { Search, SearchData } from '../resources/search/search.schema.ts';

const TAKE_DEFAULT = 5;
/** Shorter texts begin half of all e-mails. */
const WORD_MIN = 2;

interface Place {
  area: Area;
  /** Under the store's part of the dashboard: its own page, or the list that shows it. */
  toPath(hit: Hit): string;
  /** Whose page it stands on; for those who may not read that, there is the list. */
  within?: { area: Area; path: string };
}

const page = (area: Area, path: string): Place => ({
  area,
  toPath: ({ id }) => `${path}/${encodeURIComponent(id)}`,
});

/** In the order in which groups are shown. */
const PLACES: Readonly<Record<string, Place>> = {
  order: page('orders', 'orders'),
  payment: page('payments', 'orders/payments'),
  invoice: {
    area: 'invoices',
    toPath: ({ title }) => `finance/invoices?number=${encodeURIComponent(title)}`,
    within: { area: 'payments', path: 'orders/payments' },
  },
  refund: {
    area: 'refunds',
    toPath: ({ of }) => `orders/refunds?orderId=${of}`,
    within: { area: 'orders', path: 'orders' },
  },
  user: page('users', 'customers'),
  subscription: page('subscriptions', 'subscriptions'),
  product: page('products', 'catalogue/products'),
  offer: { area: 'offers', toPath: ({ of }) => `catalogue/products/${of}` },
  discount: {
    area: 'discounts',
    toPath: ({ id, title }) =>
      `catalogue/discounts?${title === id ? 'ids' : 'term'}=${encodeURIComponent(title)}&withArchived=true`,
  },
  checkoutElement: page('elements', 'catalogue/checkouts'),
  // Few enough for one page of their list.
  custom_field: { area: 'custom-fields', toPath: () => 'catalogue/custom-fields?withArchived=true' },
  file: { area: 'files', toPath: ({ title }) => `catalogue/files?term=${encodeURIComponent(title)}` },
  webhook: page('webhooks', 'developers/webhooks'),
  event: page('events', 'developers/events'),
  mail: page('mails', 'mail'),
};

const search = read({
  method: 'GET',
  path: '/v0/search',
  operationId: 'search',
  tag: 'search',
  needsSecret: true,
  summary: 'Find objects of any kind by one text',
  description: 'Shows only kinds that whoever asks may read.',
  query: Search,
  data: SearchData,
  handler: async ({ db, scope, query: { q = '', take = TAKE_DEFAULT }, actor }) => {
    const hits = await findAll(db, scope, { text: q.trim(), take });
    const base = `/dashboard/${scope.workspaceId}/${scope.testMode ? 'test' : 'live'}`;
    const groups = Object.entries(PLACES).flatMap(([object, { area, toPath, within }]) => {
      if (!mayAccess(actor, area, 'read')) return [];
      const isWithin = within && mayAccess(actor, within.area, 'read');
      const own = unique(hits.filter((hit) => hit.object === object)).slice(0, take);
      const shown = own.map((hit) => ({
        ...{ id: hit.id, title: hit.title, subtitle: hit.subtitle },
        path: `${base}/${isWithin ? `${within.path}/${hit.of}` : toPath(hit)}`,
      }));
      return shown.length > 0 ? [{ object, hits: shown }] : [];
    });
    return { groups };
  },
});

async function findAll(db: Db, scope: Scope, { text, take }: { text: string; take: number }): Promise<Hit[]> {
  if (text === '') return [];
  if (WHOLE_ID.test(text)) return findById(db, scope, text.toLowerCase());
  const number = parseNumber(text);
  const isDocument = new RegExp(ID_OR_DOCUMENT_NUMBER).test(text);
  const isWord = text.length >= WORD_MIN;
  const found = await Promise.all([
    number === null ? [] : findByNumber(db, scope, number),
    isDocument ? findDocument(db, scope, text.replace(/^(#|%23)/, '')) : [],
    isWord ? findByEmail(db, scope, { email: text, take }) : [],
    text.length >= 4 ? findByKey(db, scope, { text, take }) : [],
    isWord ? findByWords(db, scope, { term: text, take }) : [],
  ]);
  return found.flat();
}

function unique(hits: Hit[]): Hit[] {
  return [...new Map(hits.map((hit) => [hit.id, hit])).values()];
}

export const searchRoutes: Route[] = [search];
