import { Refusal } from '../domain/errors.ts';
import {
  archiveCheckoutElement,
  changeCheckoutElement,
  createCheckoutElement,
} from '../flows/catalogue/edit-checkout-element.ts';
import { type Route, read, write } from '../http/route.ts';
import {
  findCheckoutElement,
  listCheckoutElements,
} from '../resources/checkout-elements/checkout-elements.queries.ts';
import {
  ArchiveCheckoutElement,
  CheckoutElementData,
  CheckoutElementParams,
  CheckoutElementsData,
  CreateCheckoutElement,
  ListCheckoutElements,
  toCheckoutElement,
  toListedCheckoutElement,
  UpdateCheckoutElement,
} from '../resources/checkout-elements/checkout-elements.schema.ts';
import { cutPage, isShown, toArchived, toPage } from '../resources/paging.ts';

const list = read({
  method: 'GET',
  path: '/v0/elements/checkout/list',
  operationId: 'listCheckoutElements',
  tag: 'elements',
  summary: 'List checkout elements, newest first',
  query: ListCheckoutElements,
  data: CheckoutElementsData,
  handler: async ({ db, scope, query, ctx, withSecret }) => {
    // The seed allows any number as offset; beyond the last row it makes no difference which.
    const skip = Math.min(Math.floor(query.skip ?? 0), Number.MAX_SAFE_INTEGER);
    const page = toPage({ ...query, skip });
    const archived = toArchived(query, withSecret);
    const { rows, count } = await listCheckoutElements(db, scope, { archived, term: query.term, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    const checkoutElements = cut.rows.map((row) => toListedCheckoutElement(row, ctx.config.publicUrl));
    return { checkoutElements, count, ...cut.page };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/elements/checkout/:elementId',
  operationId: 'getCheckoutElement',
  tag: 'elements',
  summary: 'Get a checkout element',
  params: CheckoutElementParams,
  data: CheckoutElementData,
  handler: async ({ db, scope, params, ctx, withSecret }) => {
    const row = await findCheckoutElement(db, scope, params.elementId);
    if (!row || !isShown(row, withSecret)) throw new Refusal('not_found');
    return { checkoutElement: toCheckoutElement(row, ctx.config.publicUrl) };
  },
});

const CART_ERRORS = [
  'custom_fields_not_allowed',
  'unknown_reference',
  'offer_not_for_sale',
  'mixed_offers',
] as const;

const create = write({
  method: 'POST',
  path: '/v0/elements/checkout/create',
  operationId: 'createCheckoutElement',
  tag: 'elements',
  summary: 'Create a checkout of one or more offers',
  description:
    'One or more one-time offers (an id named twice is bought twice) or exactly one subscription offer. A DRAFT ' +
    'offer may go in, an archived one not.',
  body: CreateCheckoutElement,
  data: CheckoutElementData,
  errors: CART_ERRORS,
  example: { offersIds: ['0190a5d2-7c1e-7d3a-8b43-0f6a52c1e900'], name: 'Starter pack' },
  handler: async ({ ctx, tx, scope, body }) => {
    const row = await createCheckoutElement(ctx, scope, { tx, input: body });
    return { checkoutElement: toCheckoutElement(row, ctx.config.publicUrl) };
  },
});

const update = write({
  method: 'PATCH',
  path: '/v0/elements/checkout/:elementId/update',
  operationId: 'updateCheckoutElement',
  tag: 'elements',
  summary: "Change a checkout element's offers or name",
  params: CheckoutElementParams,
  body: UpdateCheckoutElement,
  isEdit: true,
  data: CheckoutElementData,
  errors: CART_ERRORS,
  example: { name: 'Starter pack' },
  handler: async ({ ctx, tx, scope, params, body, audit }) => {
    const { before, after } = await changeCheckoutElement(scope, { tx, id: params.elementId, input: body });
    audit(toCheckoutElement(before, ctx.config.publicUrl));
    return { checkoutElement: toCheckoutElement(after, ctx.config.publicUrl) };
  },
});

/** Archiving and taking it back differ in one word. */
function archiving(verb: 'archive' | 'unarchive'): Route {
  return write({
    method: 'PATCH',
    path: `/v0/elements/checkout/:elementId/${verb}`,
    operationId: `${verb}CheckoutElement`,
    tag: 'elements',
    summary:
      verb === 'archive'
        ? 'Archive a checkout element: its link sells no more'
        : 'Take a checkout element back from the archive',
    params: CheckoutElementParams,
    body: ArchiveCheckoutElement,
    data: CheckoutElementData,
    handler: async ({ ctx, tx, scope, params, audit }) => {
      const archive = verb === 'archive';
      const { before, after } = await archiveCheckoutElement(ctx, scope, {
        tx,
        id: params.elementId,
        archive,
      });
      audit(toCheckoutElement(before, ctx.config.publicUrl));
      return { checkoutElement: toCheckoutElement(after, ctx.config.publicUrl) };
    },
  });
}

export const checkoutElementRoutes: Route[] = [
  list,
  get,
  create,
  update,
  archiving('archive'),
  archiving('unarchive'),
];
