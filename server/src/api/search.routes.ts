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
  /** Under the store's part of the dashboard. */
  path: string;
}

/** In the order in which groups are shown. */
const PLACES: Readonly<Record<string, Place>> = {
  order: { area: 'orders', path: 'orders' },
  payment: { area: 'payments', path: 'orders/payments' },
  invoice: { area: 'invoices', path: 'finance/invoices' },
  refund: { area: 'refunds', path: 'orders/refunds' },
  user: { area: 'users', path: 'customers' },
  subscription: { area: 'subscriptions', path: 'subscriptions' },
  product: { area: 'products', path: 'catalogue/products' },
  offer: { area: 'offers', path: 'catalogue/offers' },
  discount: { area: 'discounts', path: 'catalogue/discounts' },
  checkoutElement: { area: 'elements', path: 'catalogue/checkouts' },
  custom_field: { area: 'custom-fields', path: 'catalogue/custom-fields' },
  file: { area: 'files', path: 'catalogue/files' },
  webhook: { area: 'webhooks', path: 'developers/webhooks' },
  event: { area: 'events', path: 'developers/events' },
  mail: { area: 'mails', path: 'mail' },
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
    const groups = Object.entries(PLACES).flatMap(([object, { area, path }]) => {
      if (!mayAccess(actor, area, 'read')) return [];
      const own = unique(hits.filter((hit) => hit.object === object)).slice(0, take);
      const shown = own.map(({ id, title, subtitle }) => ({
        ...{ id, title, subtitle },
        path: `${base}/${path}/${encodeURIComponent(id)}`,
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
