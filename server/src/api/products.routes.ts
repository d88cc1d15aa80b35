/** Products: what is sold. Prices hang on their offers. */
import type { Static } from 'typebox';
import { Refusal } from '../domain/errors.ts';
import { SETTINGS_DEFAULTS } from '../domain/settings.ts';
import { archiveProduct } from '../flows/catalogue/archive-product.ts';
import { createProduct } from '../flows/catalogue/create-product.ts';
import { duplicateProduct } from '../flows/catalogue/duplicate-product.ts';
import { changeProduct, unarchiveProduct } from '../flows/catalogue/edit-product.ts';
import { type Route, read, write } from '../http/route.ts';
import { listDefinitions } from '../resources/custom-fields/custom-fields.queries.ts';
import { listSales } from '../resources/discounts/discounts.queries.ts';
import { listOffersOfProduct } from '../resources/offers/offers.queries.ts';
import { cutPage, isShown, toArchived, toPage, toShownStatuses } from '../resources/paging.ts';
import { findProduct, listProducts } from '../resources/products/products.queries.ts';
import {
  ArchiveProduct,
  ListProducts,
  ProductData,
  ProductParams,
  ProductsData,
  toListedProduct,
  toProduct,
  UnarchiveProduct,
  UpdateProduct,
} from '../resources/products/products.schema.ts';
import {
  CreateProduct,
  toWholeProduct,
  WholeProductData,
} from '../resources/products/whole-product.schema.ts';
import { listVariants } from '../resources/variants/variants.queries.ts';

const list = read({
  method: 'GET',
  path: '/v0/products/list',
  operationId: 'listProducts',
  tag: 'products',
  summary: 'List products, newest first',
  query: ListProducts,
  data: ProductsData,
  handler: async ({ db, scope, query, withSecret }) => {
    const page = toPage(query);
    // What is left tells how much was sold.
    if (query.lowStock !== undefined && !withSecret) throw new Refusal('secret_key_required');
    const [{ rows, count }, definitions] = await Promise.all([
      listProducts(db, scope, toFilter(query, withSecret), page),
      listDefinitions(db, scope),
    ]);
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    const products = cut.rows.map((row) => toListedProduct(row, definitions));
    return { products, count, ...cut.page };
  },
});

function toFilter(query: Static<typeof ListProducts>, withSecret: boolean) {
  const direction = query.orderDirection === 'ASC' ? ('asc' as const) : ('desc' as const);
  return {
    ...query,
    lowStockDefault: SETTINGS_DEFAULTS.lowStockThreshold,
    term: query.term ?? query.termOrId,
    statuses: toShownStatuses(query, { withSecret, published: ['ACTIVE', 'HIDDEN'] }),
    archived: toArchived(query, withSecret),
    direction,
  };
}

const get = read({
  method: 'GET',
  path: '/v0/products/:productId',
  operationId: 'getProduct',
  tag: 'products',
  summary: 'Get a product with its variants, plans and offers',
  description: 'Archived variants and offers are left out.',
  params: ProductParams,
  data: WholeProductData,
  needsClock: true,
  handler: async ({ ctx, db, scope, params: { productId }, withSecret }) => {
    const [row, definitions, variants, offers, sales] = await Promise.all([
      findProduct(db, scope, productId),
      listDefinitions(db, scope),
      listVariants(db, scope, productId),
      listOffersOfProduct(db, scope, productId),
      listSales(db, scope),
    ]);
    if (!row || !isShown(row, withSecret)) throw new Refusal('not_found');
    const shown = offers.filter((offer) => isShown(offer, withSecret));
    return toWholeProduct(row, { definitions, variants, offers: shown, sales, nowMs: ctx.nowMs });
  },
});

const create = write({
  method: 'POST',
  path: '/v0/products/create',
  operationId: 'createProduct',
  tag: 'products',
  summary: 'Create a product, with variants or plans and offers if wanted',
  description:
    'An inline offer points at an inline variant or plan with `variantIdx`. All is made or nothing.',
  body: CreateProduct,
  data: WholeProductData,
  errors: [
    'slug_taken',
    'plans_need_subscription',
    'unknown_reference',
    'offer_currency_mismatch',
    'free_product_price',
    'free_subscription',
    'recurring_interval_required',
    'recurring_interval_forbidden',
    'file_purpose',
  ],
  example: {
    type: 'Subscription',
    name: 'Photo library',
    variants: [{ name: 'Team' }],
    offers: [
      { variantIdx: 0, price: 1900, currency: 'EUR', recurringInterval: 'month', recurringIntervalCount: 1 },
    ],
  },
  handler: async ({ ctx, tx, scope, body }) => {
    const { product, variants, offers } = await createProduct(ctx, scope, { tx, input: body });
    const definitions = await listDefinitions(tx, scope);
    const sales = await listSales(tx, scope);
    return toWholeProduct(product, { definitions, variants, offers, sales, nowMs: ctx.nowMs });
  },
});

const update = write({
  method: 'PATCH',
  path: '/v0/products/:productId/update',
  operationId: 'updateProduct',
  tag: 'products',
  summary: 'Change a product',
  description:
    'Missing fields stay as they are; the type never changes. What was sold keeps the product as it was.',
  params: ProductParams,
  body: UpdateProduct,
  isEdit: true,
  data: ProductData,
  errors: ['slug_taken'],
  example: { name: 'Photo library 2', status: 'HIDDEN' },
  handler: async ({ ctx, tx, scope, params, body, audit }) => {
    const { before, after } = await changeProduct(ctx, scope, { tx, id: params.productId, input: body });
    const definitions = await listDefinitions(tx, scope);
    audit(toProduct(before, definitions));
    return { product: toProduct(after, definitions) };
  },
});

/** Archiving and taking it back differ in one word. */
function archiving(verb: 'archive' | 'unarchive'): Route {
  return write({
    method: 'PATCH',
    path: `/v0/products/:productId/${verb}`,
    operationId: `${verb}Product`,
    tag: 'products',
    summary: verb === 'archive' ? 'Archive a product and its offers' : 'Take a product back from the archive',
    description:
      verb === 'unarchive'
        ? 'Its offers stay archived until each is taken back, but for `withOffers`.'
        : undefined,
    params: ProductParams,
    body: verb === 'archive' ? ArchiveProduct : UnarchiveProduct,
    data: ProductData,
    handler: async ({ ctx, tx, scope, params, body, audit }) => {
      const target = { tx, id: params.productId };
      const withOffers = 'withOffers' in body && body.withOffers === true;
      const { before, after } =
        verb === 'archive'
          ? await archiveProduct(ctx, scope, target)
          : await unarchiveProduct(ctx, scope, { ...target, withOffers });
      const definitions = await listDefinitions(tx, scope);
      audit(toProduct(before, definitions));
      return { product: toProduct(after, definitions) };
    },
  });
}

const duplicate = write({
  method: 'POST',
  path: '/v0/products/:productId/duplicate',
  operationId: 'duplicateProduct',
  tag: 'products',
  summary: 'Copy a product with its variants, without its offers',
  params: ProductParams,
  body: ArchiveProduct,
  data: WholeProductData,
  handler: async ({ ctx, tx, scope, params }) => {
    const { product, variants } = await duplicateProduct(ctx, scope, { tx, id: params.productId });
    const definitions = await listDefinitions(tx, scope);
    const { nowMs } = ctx;
    return toWholeProduct(product, { definitions, variants, offers: [], sales: [], nowMs });
  },
});

export const productRoutes: Route[] = [
  list,
  get,
  create,
  update,
  archiving('archive'),
  archiving('unarchive'),
  duplicate,
];
