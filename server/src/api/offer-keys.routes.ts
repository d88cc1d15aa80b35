import { Refusal } from '../domain/errors.ts';
import { addOfferKeys } from '../flows/catalogue/add-offer-keys.ts';
import { removeAllUnsoldKeys, removeOfferKey } from '../flows/catalogue/remove-offer-keys.ts';
import { type Route, read, write } from '../http/route.ts';
import { listOfferKeys } from '../resources/offer-keys/offer-keys.queries.ts';
import {
  AddedKeysData,
  AddOfferKeys,
  ListOfferKeys,
  OfferKeyParams,
  OfferKeysData,
  OfferKeysPath,
  RemovedKeysData,
  toOfferKey,
} from '../resources/offer-keys/offer-keys.schema.ts';
import { hasOffer } from '../resources/offers/offers.queries.ts';
import { cutPage, toPage, toStatuses } from '../resources/paging.ts';

/** Room for 10,000 keys of 512 characters. */
const ADD_LIMIT_BYTES = 8 * 1024 * 1024;

const list = read({
  method: 'GET',
  path: '/v0/offers/:offerId/keys/list',
  operationId: 'listOfferKeys',
  tag: 'offer-keys',
  summary: "List an offer's keys, newest first",
  description: 'A key is shown by its last four characters only.',
  needsSecret: true,
  params: OfferKeysPath,
  query: ListOfferKeys,
  data: OfferKeysData,
  handler: async ({ db, scope, params, query }) => {
    const page = toPage(query);
    if (!(await hasOffer(db, scope, params.offerId))) throw new Refusal('not_found');
    const filter = { offerId: params.offerId, statuses: toStatuses(query) };
    const { rows, count } = await listOfferKeys(db, scope, filter, page);
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    return { keys: cut.rows.map(toOfferKey), count, ...cut.page };
  },
});

const add = write({
  method: 'POST',
  path: '/v0/offers/:offerId/keys/add',
  operationId: 'addOfferKeys',
  tag: 'offer-keys',
  summary: 'Stock keys',
  description:
    'A key that is stocked in this offer already is not added twice. Buyers who paid and wait for a key get the ' +
    'first ones. An offer that has ever had keys sells only what is in stock. With `dryRun` nothing is written.',
  params: OfferKeysPath,
  body: AddOfferKeys,
  data: AddedKeysData,
  errors: ['keys_on_subscription'],
  bodyLimitBytes: ADD_LIMIT_BYTES,
  example: { productKeys: ['AAAA-BBBB-CCCC-DDDD'], fileName: 'keys.txt' },
  handler: async ({ ctx, tx, scope, params, body }) => {
    const result = await addOfferKeys(ctx, scope, { tx, offerId: params.offerId, input: body });
    return { success: true, ...result };
  },
});

const removeOne = write({
  method: 'DELETE',
  path: '/v0/offers/:offerId/keys/:keyId/removeUnsold',
  operationId: 'removeUnsoldOfferKey',
  tag: 'offer-keys',
  summary: 'Take a key off the shelf',
  params: OfferKeyParams,
  data: RemovedKeysData,
  errors: ['key_sold', 'key_reserved'],
  handler: async ({ tx, scope, params }) => {
    await removeOfferKey(tx, scope, params);
    return { success: true, removed: 1 };
  },
});

const removeAll = write({
  method: 'DELETE',
  path: '/v0/offers/:offerId/keys/removeAllUnsold',
  operationId: 'removeAllUnsoldOfferKeys',
  tag: 'offer-keys',
  summary: "Take all of an offer's keys off the shelf",
  description: 'Keys that were sold or that an open checkout holds stay.',
  params: OfferKeysPath,
  data: RemovedKeysData,
  handler: async ({ tx, scope, params }) => {
    const removed = await removeAllUnsoldKeys(tx, scope, params.offerId);
    return { success: true, removed };
  },
});

export const offerKeyRoutes: Route[] = [list, add, removeOne, removeAll];
