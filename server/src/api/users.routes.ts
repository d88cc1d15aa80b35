/** Users: the merchant's customers, made here or by their first purchase. */
import type { Context } from '../context.ts';
import type { Page } from '../db/list.ts';
import type { Scope } from '../db/scope.ts';
import { assert } from '../domain/assert.ts';
import { Refusal } from '../domain/errors.ts';
import { toSettings } from '../domain/settings.ts';
import { type Access, type AccessTerms, computeAccess } from '../domain/subscriptions/access.ts';
import { findCustomers, type NamedCustomers } from '../flows/payments/find-customers.ts';
import { acceptDeletion } from '../flows/users/accept-deletion.ts';
import { archiveUser, changeUser, createUser, hashGivenPassword } from '../flows/users/edit-user.ts';
import { type Route, read, write } from '../http/route.ts';
import { cutPage, isShown, toArchived, toPage } from '../resources/paging.ts';
import { listPaymentMethods } from '../resources/payment-methods/payment-methods.queries.ts';
import { toPaymentMethods } from '../resources/payment-methods/payment-methods.schema.ts';
import { listItemsOfSubscriptions } from '../resources/subscriptions/subscriptions.queries.ts';
import {
  type BoughtSubscription,
  listBoughtSubscriptions,
  listInventory,
} from '../resources/users/inventory.queries.ts';
import { findUser, listUsers } from '../resources/users/users.queries.ts';
import {
  ArchiveUser,
  CreateUser,
  DeletionData,
  InventoryData,
  ListInventory,
  ListUsers,
  toDeletion,
  toInventoryItem,
  toListedUser,
  toUser,
  UpdateUser,
  UserData,
  UserParams,
  UsersData,
  UserWithMethodsData,
} from '../resources/users/users.schema.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';

const LIMIT_DEFAULT = 10;

interface BookQuery {
  page?: number;
  limit?: number;
  skip?: number;
  take?: number;
  cursor?: string;
}

/** `page` and `limit` as the rows they stand for; a cursor goes on where it was given. */
function toBookPage({ page = 1, limit, skip, take = limit, cursor }: BookQuery): Page {
  const size = take ?? LIMIT_DEFAULT;
  const skipped = skip ?? (cursor === undefined ? (page - 1) * size : 0);
  return toPage({ take: size, skip: skipped, ...(cursor === undefined ? {} : { cursor }) });
}

const list = read({
  method: 'GET',
  path: '/v0/users/list',
  operationId: 'listUsers',
  tag: 'users',
  summary: 'List users, newest first',
  query: ListUsers,
  data: UsersData,
  handler: async ({ db, scope, query, withSecret }) => {
    const page = toBookPage(query);
    if (query.deletion && !withSecret) throw new Refusal('secret_key_required');
    const filter = { ...query, archived: toArchived(query, withSecret) };
    const { rows, count } = await listUsers(db, scope, filter, page);
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    return { users: cut.rows.map(toListedUser), count, pages: Math.ceil(count / page.take), ...cut.page };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/users/:userId',
  operationId: 'getUser',
  tag: 'users',
  summary: 'Get a user',
  params: UserParams,
  data: UserWithMethodsData,
  handler: async ({ db, scope, params, withSecret }) => {
    const row = await findUser(db, scope, params.userId);
    if (!row || !isShown(row, withSecret)) throw new Refusal('not_found');
    const methods = withSecret ? await listPaymentMethods(db, scope, row.id) : null;
    const deletion = withSecret ? toDeletion(row) : null;
    return { user: toUser(row), paymentMethods: methods && toPaymentMethods(methods), deletion };
  },
});

const inventory = read({
  method: 'GET',
  path: '/v0/users/:userId/inventory',
  operationId: 'listInventory',
  tag: 'users',
  summary: 'List what a user has access to, newest first',
  description:
    'What was bought and paid, as long as it is the user’s: what was taken back is left out, and so is a subscription ' +
    'that has ended, is unpaid or past its grace, or whose payment is disputed. An `expiresAfter` that lies behind ' +
    'shows again what ended since. Keys are whole only where the secret key is sent.',
  params: UserParams,
  query: ListInventory,
  data: InventoryData,
  needsClock: true,
  handler: async ({ ctx, db, scope, params, query, withSecret }) => {
    const user = await findUser(db, scope, params.userId);
    if (!user || !isShown(user, withSecret)) throw new Refusal('not_found');
    const page = toBookPage(query);
    const { graceDays } = toSettings((await getStore(db, scope)).settings);
    const terms: AccessTerms = { nowMs: ctx.nowMs, graceDays };
    const subscribed = await listBoughtSubscriptions(db, scope, user.id);
    const ofSubscription = new Map(subscribed.map((row) => [row.id, toAccess(row, terms)]));
    const endsAfterMs = query.expiresAfter ?? ctx.nowMs;
    const subscriptionIds = [...ofSubscription.keys()].filter((id) =>
      isBeyond(ofSubscription.get(id), endsAfterMs),
    );
    const filter = { ...query, userId: user.id, endsAfterMs, subscriptionIds };
    const { rows, count } = await listInventory(db, scope, filter, page);
    const cut = cutPage(rows, page, (row) => ({ value: row.orderedAt, id: row.id }));
    const shownIds = new Set(cut.rows.flatMap(({ subscriptionId }) => subscriptionId ?? []));
    const subscriptionItems = await listItemsOfSubscriptions(db, scope, [...shownIds]);
    return {
      inventory: cut.rows.map((row) => {
        const access =
          ofSubscription.get(row.subscriptionId ?? '') ??
          computeAccess({ frozenAt: row.frozenAt, subscription: null }, terms);
        return toInventoryItem(row, {
          access,
          subscriptionItems: subscriptionItems.get(row.subscriptionId ?? '') ?? null,
          withKeys: withSecret,
        });
      }),
      count,
      pages: Math.ceil(count / page.take),
      ...cut.page,
    };
  },
});

function toAccess({ frozenAt, ...subscription }: BoughtSubscription, terms: AccessTerms): Access {
  return computeAccess({ frozenAt, subscription }, terms);
}

function isBeyond(access: Access | undefined, atMs: number): boolean {
  return access !== undefined && (access.endsAtMs === null || access.endsAtMs > atMs);
}

const create = write({
  method: 'POST',
  path: '/v0/users/create',
  operationId: 'createUser',
  tag: 'users',
  summary: 'Create a user',
  description: 'An e-mail has one user, whatever its case, also one that a purchase made.',
  body: CreateUser,
  data: UserData,
  errors: ['email_taken', 'unknown_reference', 'unknown_processor_customer', 'processor_unreachable'],
  example: {
    email: 'ada@example.com',
    username: 'ada',
    billingDetails: { firstName: 'Ada', lastName: 'Lovelace', countryCode: 'DE' },
  },
  checkOutside: async ({ ctx, scope, body }) => ({
    passwordHash: await hashGivenPassword(body.password),
    brought: await findCustomers(ctx, scope, { given: body.paymentData }),
  }),
  handler: async ({ ctx, tx, scope, body, outside }) => ({
    user: toUser(await createUser(ctx, scope, { tx, input: body, ...outside })),
  }),
});

const update = write({
  method: 'PATCH',
  path: '/v0/users/:userId/update',
  operationId: 'updateUser',
  tag: 'users',
  summary: 'Change a user',
  description:
    'Missing fields stay as they are, also within `billingDetails` and `paymentData`; null unsets a field. What is said of `billingDetails` is said of each of the user’s subscriptions that has not ended, too. A new card is charged for these from now on, and at once for what they owe.',
  params: UserParams,
  body: UpdateUser,
  isEdit: true,
  data: UserData,
  errors: [
    ...(['email_taken', 'unknown_reference', 'unknown_processor_customer', 'processor_unreachable'] as const),
    'archived',
  ],
  example: { internalId: 'crm-4711', billingDetails: { countryCode: 'US', postalCode: '10001' } },
  checkOutside: async ({ ctx, scope, params, body }) => ({
    passwordHash: await hashGivenPassword(body.password),
    brought: await findCustomersOf(ctx, scope, { id: params.userId, given: body.paymentData }),
  }),
  handler: async ({ ctx, tx, scope, params, body, audit, outside }) => {
    const { before, after } = await changeUser(ctx, scope, {
      tx,
      id: params.userId,
      input: body,
      ...outside,
    });
    audit(toUser(before));
    return { user: toUser(after) };
  },
});

/** What is sent back as it was read is not asked for. */
async function findCustomersOf(
  ctx: Context,
  scope: Scope,
  { id, given }: { id: string; given: NamedCustomers['given'] },
) {
  if (!given) return [];
  const { paymentData: known = {} } = (await findUser(ctx.db, scope, id)) ?? {};
  return findCustomers(ctx, scope, { given, known });
}

/** Archiving and taking it back differ in one word. */
function archiving(verb: 'archive' | 'unarchive'): Route {
  return write({
    method: 'PATCH',
    path: `/v0/users/:userId/${verb}`,
    operationId: `${verb}User`,
    tag: 'users',
    summary: verb === 'archive' ? 'Archive a user' : 'Take a user back from the archive',
    params: UserParams,
    body: ArchiveUser,
    data: UserData,
    errors: ['archived'],
    handler: async ({ ctx, tx, scope, params, audit }) => {
      const archive = verb === 'archive';
      const { before, after } = await archiveUser(ctx, scope, { tx, id: params.userId, archive });
      audit(toUser(before));
      return { user: toUser(after) };
    },
  });
}

const acceptDeletionRoute = write({
  method: 'POST',
  path: '/v0/users/:userId/deletion/accept',
  operationId: 'acceptUserDeletion',
  tag: 'users',
  summary: 'Agree that a user is erased',
  description:
    'Where the user has not asked for it in the portal they have by letter, and this makes the request, too. After 14 ' +
    'days the user goes out of all rows but orders, documents and the ledger; events that tell of them are not sent ' +
    'again. The same call again changes nothing.',
  params: UserParams,
  body: ArchiveUser,
  data: DeletionData,
  errors: ['subscription_running'],
  example: {},
  handler: async ({ ctx, tx, scope, params }) => {
    const deletion = toDeletion(await acceptDeletion(ctx, scope, { tx, userId: params.userId }));
    assert(deletion, 'what was agreed to was asked for');
    return { deletion };
  },
});

export const userRoutes: Route[] = [
  list,
  get,
  inventory,
  create,
  update,
  archiving('archive'),
  archiving('unarchive'),
  acceptDeletionRoute,
];
