import { Refusal } from '../domain/errors.ts';
import { SETTINGS_DEFAULTS } from '../domain/settings.ts';
import { archiveOffer, changeOffer, createOffer, loadOfferView } from '../flows/catalogue/edit-offer.ts';
import { type Route, read, write } from '../http/route.ts';
import { findVariantOfProduct, findWholeOffer, listOffers } from '../resources/offers/offers.queries.ts';
import {
  ArchiveOffer,
  CreateOffer,
  ListOffers,
  OfferData,
  OfferParams,
  OffersData,
  toOffer,
  toWholeOffer,
  UpdateOffer,
  WholeOfferData,
} from '../resources/offers/offers.schema.ts';
import { cutPage, isShown, toArchived, toPage, toShownStatuses } from '../resources/paging.ts';

const list = read({
  method: 'GET',
  path: '/v0/offers/list',
  operationId: 'listOffers',
  tag: 'offers',
  summary: 'List offers, newest first',
  query: ListOffers,
  data: OffersData,
  needsClock: true,
  handler: async ({ db, scope, query, ctx, withSecret }) => {
    const page = toPage(query);
    // What is left tells how much was sold.
    if (query.lowStock !== undefined && !withSecret) throw new Refusal('secret_key_required');
    const filter = {
      ...query,
      lowStockDefault: SETTINGS_DEFAULTS.lowStockThreshold,
      productId: query.product,
      productTypes: query['product.types'],
      term: query.term ?? query.termOrId,
      statuses: toShownStatuses(query, { withSecret, published: ['ACTIVE'] }),
      archived: toArchived(query, withSecret),
      ofPublished: !withSecret,
    };
    const [{ rows, count }, view] = await Promise.all([
      listOffers(db, scope, filter, page),
      loadOfferView(db, scope, ctx.nowMs),
    ]);
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    const offers = cut.rows.map((row) => toOffer(row, view));
    return { offers, count, ...cut.page };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/offers/:offerId',
  operationId: 'getOffer',
  tag: 'offers',
  summary: 'Get an offer with its product, its variant and the number of its keys',
  params: OfferParams,
  data: WholeOfferData,
  needsClock: true,
  handler: async ({ db, scope, params, ctx, withSecret }) => {
    const [row, view] = await Promise.all([
      findWholeOffer(db, scope, params.offerId),
      loadOfferView(db, scope, ctx.nowMs),
    ]);
    if (!row || !isShown(row, withSecret)) throw new Refusal('not_found');
    const { productId, variantId, productStatus: status, productArchivedAt: archivedAt } = row;
    // The answer names the product.
    if (!isShown({ status, archivedAt }, withSecret)) throw new Refusal('not_found');
    const variant = variantId && (await findVariantOfProduct(db, scope, { productId, variantId }));
    return { offer: toWholeOffer(row, variant || null, view) };
  },
});

const PRICING_ERRORS = [
  'unknown_reference',
  'offer_currency_mismatch',
  'free_product_price',
  'free_subscription',
  'recurring_interval_required',
  'recurring_interval_forbidden',
  'archived',
  'file_purpose',
] as const;

const create = write({
  method: 'POST',
  path: '/v0/offers/create',
  operationId: 'createOffer',
  tag: 'offers',
  summary: 'Offer a product at a price',
  description:
    "The store's first offer sets its currency. An archived product or variant takes no new offer.",
  body: CreateOffer,
  data: OfferData,
  errors: PRICING_ERRORS,
  example: { productId: '0190a5d2-7c1e-7d3a-8b43-0f6a52c1e900', price: 1999, currency: 'EUR' },
  handler: async ({ ctx, tx, scope, body }) => {
    const row = await createOffer(ctx, scope, { tx, input: body });
    return { offer: toOffer(row, await loadOfferView(tx, scope, ctx.nowMs)) };
  },
});

const update = write({
  method: 'PATCH',
  path: '/v0/offers/:offerId/update',
  operationId: 'updateOffer',
  tag: 'offers',
  summary: 'Change an offer',
  description:
    'Missing fields stay as they are. A new price never touches what was sold; running subscriptions keep theirs.',
  params: OfferParams,
  body: UpdateOffer,
  isEdit: true,
  data: OfferData,
  errors: PRICING_ERRORS,
  example: { price: 2499, originalPrice: 2999 },
  handler: async ({ ctx, tx, scope, params, body, audit }) => {
    const { before, after } = await changeOffer(ctx, scope, { tx, id: params.offerId, input: body });
    const view = await loadOfferView(tx, scope, ctx.nowMs);
    audit(toOffer(before, view));
    return { offer: toOffer(after, view) };
  },
});

/** Archiving and taking it back differ in one word. */
function archiving(verb: 'archive' | 'unarchive'): Route {
  return write({
    method: 'PATCH',
    path: `/v0/offers/:offerId/${verb}`,
    operationId: `${verb}Offer`,
    tag: 'offers',
    summary: verb === 'archive' ? 'Archive an offer' : 'Take an offer back from the archive',
    params: OfferParams,
    body: ArchiveOffer,
    data: OfferData,
    handler: async ({ ctx, tx, scope, params, audit }) => {
      const archive = verb === 'archive';
      const { before, after } = await archiveOffer(ctx, scope, { tx, id: params.offerId, archive });
      const view = await loadOfferView(tx, scope, ctx.nowMs);
      audit(toOffer(before, view));
      return { offer: toOffer(after, view) };
    },
  });
}

export const offerRoutes: Route[] = [list, get, create, update, archiving('archive'), archiving('unarchive')];
