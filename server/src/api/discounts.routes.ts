/** Discounts: the reference resource. Copy this folder for a new one. */
import { Refusal } from '../domain/errors.ts';
import { WHOLE_ID } from '../domain/numbers.ts';
import { archiveDiscount, changeDiscount, createDiscount } from '../flows/catalogue/edit-discount.ts';
import { type Route, read, write } from '../http/route.ts';
import { findDiscount, listDiscounts } from '../resources/discounts/discounts.queries.ts';
import {
  ArchiveDiscount,
  CreateDiscount,
  DiscountData,
  DiscountParams,
  DiscountsData,
  ListDiscounts,
  toDiscount,
  UpdateDiscount,
} from '../resources/discounts/discounts.schema.ts';
import { cutPage, isShown, toArchived, toPage, toStatuses } from '../resources/paging.ts';

const list = read({
  method: 'GET',
  path: '/v0/discounts/list',
  operationId: 'listDiscounts',
  tag: 'discounts',
  summary: 'List discounts, newest first',
  query: ListDiscounts,
  data: DiscountsData,
  needsClock: true,
  handler: async ({ db, scope, query, ctx, withSecret }) => {
    const page = toPage(query);
    const { rows, count } = await listDiscounts(
      db,
      scope,
      {
        ...query,
        statuses: toStatuses(query),
        archived: toArchived(query, withSecret),
        withCodes: withSecret,
      },
      page,
    );
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    const discounts = cut.rows.map((row) => toDiscount(row, ctx.nowMs));
    return { discounts, count, ...cut.page };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/discounts/:discountId',
  operationId: 'getDiscount',
  tag: 'discounts',
  summary: 'Get a discount',
  params: DiscountParams,
  data: DiscountData,
  needsClock: true,
  handler: async ({ db, scope, params, ctx, withSecret }) => {
    const row = await findDiscount(db, scope, params.discountId);
    if (!row || !isShown(row, withSecret)) throw new Refusal('not_found');
    return { discount: toDiscount(row, ctx.nowMs) };
  },
});

const create = write({
  method: 'POST',
  path: '/v0/discounts/create',
  operationId: 'createDiscount',
  tag: 'discounts',
  summary: 'Create a coupon code or a sale',
  body: CreateDiscount,
  data: DiscountData,
  errors: ['discount_code_taken', 'unknown_reference'],
  example: {
    type: 'code',
    discountCode: 'WELCOME10',
    amount: 10,
    amountType: 'percentage',
    includesAllOffers: true,
  },
  handler: async ({ ctx, tx, scope, body }) => {
    const row = await createDiscount(ctx, scope, { tx, input: body });
    return { discount: toDiscount(row, ctx.nowMs) };
  },
});

const update = write({
  method: 'PATCH',
  path: '/v0/discounts/:discountId/update',
  operationId: 'updateDiscount',
  tag: 'discounts',
  summary: 'Change a discount',
  description: 'Missing fields stay as they are. What was sold with the discount keeps it as it was.',
  params: DiscountParams,
  body: UpdateDiscount,
  isEdit: true,
  data: DiscountData,
  priceTerms: async (db, scope, id) => (WHOLE_ID.test(id) ? findDiscount(db, scope, id) : undefined),
  errors: ['discount_code_taken', 'unknown_reference'],
  example: { name: 'Spring', validUntil: 1_900_000_000_000 },
  handler: async ({ ctx, tx, scope, params, body, audit }) => {
    const { before, after } = await changeDiscount(ctx, scope, { tx, id: params.discountId, input: body });
    audit(toDiscount(before, ctx.nowMs));
    return { discount: toDiscount(after, ctx.nowMs) };
  },
});

/** Archiving and taking it back differ in one word. */
function archiving(verb: 'archive' | 'unarchive'): Route {
  return write({
    method: 'PATCH',
    path: `/v0/discounts/:discountId/${verb}`,
    operationId: `${verb}Discount`,
    tag: 'discounts',
    summary: verb === 'archive' ? 'Archive a discount' : 'Take a discount back from the archive',
    params: DiscountParams,
    body: ArchiveDiscount,
    data: DiscountData,
    errors: verb === 'unarchive' ? ['discount_code_taken'] : [],
    handler: async ({ ctx, tx, scope, params, audit }) => {
      const archive = verb === 'archive';
      const { before, after } = await archiveDiscount(ctx, scope, { tx, id: params.discountId, archive });
      audit(toDiscount(before, ctx.nowMs));
      return { discount: toDiscount(after, ctx.nowMs) };
    },
  });
}

export const discountRoutes: Route[] = [
  list,
  get,
  create,
  update,
  archiving('archive'),
  archiving('unarchive'),
];
