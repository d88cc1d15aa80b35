/** The cards of a buyer: which there are, what they pay, and new ones. */
import type { Context } from '../context.ts';
import type { Db, Tx } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import { type AddedMethod, addMethod, showAdded } from '../flows/portal/add-method.ts';
import { dropMethod, keepMethod, lockMethods, payByMethod } from '../flows/portal/own-methods.ts';
import { buyerFlow, buyerRead, buyerWrite } from '../http/portal-route.ts';
import type { Route } from '../http/route.ts';
import {
  listMethodsApart,
  listPaymentMethods,
} from '../resources/payment-methods/payment-methods.queries.ts';
import { toPaymentMethods } from '../resources/payment-methods/payment-methods.schema.ts';
import { NoBody } from '../resources/portal/bought.schema.ts';
import {
  AddedMethodData,
  AddMethod,
  MethodParams,
  OwnMethodData,
  OwnMethodsData,
  UseMethod,
} from '../resources/portal/methods.schema.ts';
import { listRunningOf } from '../resources/portal/running.queries.ts';
import { getOwnSubscription } from './own-objects.ts';

const list = buyerRead({
  method: 'GET',
  path: '/v0/portal/payment-methods/list',
  operationId: 'listPortalPaymentMethods',
  tag: 'portal',
  summary: 'List the cards of this buyer, with what each pays',
  data: OwnMethodsData,
  handler: async ({ db, scope, buyer }) => ({
    paymentMethods: await showMethods(db, scope, buyer.user.id),
  }),
});

async function showMethods(db: Db, scope: Scope, userId: string) {
  const own = toPaymentMethods(await listPaymentMethods(db, scope, userId));
  const apart = toPaymentMethods(await listMethodsApart(db, scope, userId));
  const running = await listRunningOf(db, scope, userId);
  const methods = [
    ...own.map((method) => ({ ...method, kept: true })),
    ...apart.map((method) => ({ ...method, isDefault: false, kept: false })),
  ];
  return methods.map((method) => ({
    ...method,
    subscriptionIds: running
      .filter(({ paymentMethodId }) => paymentMethodId === method.id)
      .map(({ number }) => number),
  }));
}

async function showMethod(db: Db, scope: Scope, { userId, id }: { userId: string; id: string }) {
  const found = (await showMethods(db, scope, userId)).find((one) => one.id === id);
  if (!found) throw new Refusal('not_found');
  return found;
}

const create = buyerFlow({
  method: 'POST',
  path: '/v0/portal/payment-methods/create',
  operationId: 'createPortalPaymentMethod',
  tag: 'portal',
  summary: 'Add a card',
  description:
    'In test mode `card` is the number of a sandbox card. Of the subscriptions that are named it pays from now on, and at once what they owe. A refusal is a result: `failure` says why. With `action` the bank asks the buyer first; with none of the three it is decided later.',
  body: AddMethod,
  data: AddedMethodData,
  errors: [
    'processor_not_configured',
    'card_invalid',
    'card_data_refused',
    'not_found',
    'payment_in_progress',
    'rate_limited',
    'too_many_declines',
  ],
  example: { card: '4242424242424242' },
  handler: async ({ ctx, scope, body, buyer: { user, settings, store }, client, claim }) => {
    const { card, payment, subscriptionIds: numbers = [] } = body;
    if (card !== undefined && payment) throw invalidField('card', 'must not be given with payment');
    if (card === undefined && !payment) throw invalidField('payment', 'is missing');
    const userId = user.id;
    const added = { ...NOTHING_ADDED, userId };
    const resumed = claim.resumeId;
    // What was asked with stands in no audit row.
    const begin = (tx: Tx, id: string) => claim.begin(tx, id, { id });
    if (card !== undefined) {
      const methodId = resumed ?? (await addSandboxCard(ctx, scope, { userId, card, numbers, begin }));
      return toAddedData(ctx, scope, { ...added, methodId });
    }
    const buyer = { userId, settings, store };
    const subscriptionIds = await findOwnIds(ctx.db, scope, { userId, numbers });
    const { option, token = null } = payment ?? { option: 'token' as const };
    const given = { option, token, subscriptionIds, addressKey: client.addressKey, begin };
    const id = resumed ?? (await addMethod(ctx, scope, { buyer, given }));
    return toAddedData(ctx, scope, { ...added, ...(await showAdded(ctx, scope, { id, slug: store.slug })) });
  },
});

const NOTHING_ADDED = { methodId: null, actionUrl: null, failure: null };

async function addSandboxCard(
  ctx: Context,
  scope: Scope,
  {
    userId,
    card,
    numbers,
    begin,
  }: {
    userId: string;
    card: string;
    numbers: readonly string[];
    begin(tx: Tx, id: string): Promise<void>;
  },
): Promise<string> {
  return inTransaction(ctx.db, async (tx) => {
    const subscriptionIds = await findOwnIds(tx, scope, { userId, numbers });
    const methodId = await keepMethod(ctx, scope, { tx, userId, card });
    await payByMethod(ctx, scope, { tx, userId, methodId, subscriptionIds, isDefault: false });
    await begin(tx, methodId);
    return methodId;
  });
}

async function toAddedData(
  { db, config }: Context,
  scope: Scope,
  {
    userId,
    methodId,
    actionUrl,
    failure,
  }: Omit<AddedMethod, 'status' | 'isActionAsked'> & { userId: string },
) {
  return {
    paymentMethod: methodId === null ? null : await showMethod(db, scope, { userId, id: methodId }),
    action: actionUrl === null ? null : { url: new URL(actionUrl, config.publicUrl).href },
    failure,
  };
}

async function findOwnIds(
  db: Db,
  scope: Scope,
  { userId, numbers }: { userId: string; numbers: readonly string[] },
): Promise<string[]> {
  const ids: string[] = [];
  for (const text of numbers) {
    const { id, endedAt } = await getOwnSubscription(db, scope, { userId, text });
    if (endedAt !== null) throw invalidField('subscriptionIds', 'names a subscription that has ended');
    ids.push(id);
  }
  return ids;
}

const use = buyerWrite({
  method: 'PATCH',
  path: '/v0/portal/payment-methods/:paymentMethodId/use',
  operationId: 'usePortalPaymentMethod',
  tag: 'portal',
  summary: 'Pay by a card: from now on, or for the subscriptions that are named',
  params: MethodParams,
  body: UseMethod,
  data: OwnMethodData,
  example: {},
  handler: async ({ ctx, tx, scope, params, body, buyer: { user } }) => {
    const { paymentMethodId: methodId } = params;
    await lockMethods(tx, scope, user.id);
    const { kept } = await showMethod(tx, scope, { userId: user.id, id: methodId });
    // Whoever gave it for a subscription may be somebody else: it is charged for nothing more.
    if (!kept) throw new Refusal('not_found');
    const numbers = body.subscriptionIds ?? [];
    const subscriptionIds = await findOwnIds(tx, scope, { userId: user.id, numbers });
    const isDefault = body.subscriptionIds === undefined;
    await payByMethod(ctx, scope, { tx, userId: user.id, methodId, subscriptionIds, isDefault });
    return { paymentMethod: await showMethod(tx, scope, { userId: user.id, id: methodId }) };
  },
});

const remove = buyerWrite({
  method: 'DELETE',
  path: '/v0/portal/payment-methods/:paymentMethodId',
  operationId: 'deletePortalPaymentMethod',
  needsFreshProof: true,
  tag: 'portal',
  summary: 'Remove a card',
  params: MethodParams,
  body: NoBody,
  data: OwnMethodsData,
  errors: ['payment_method_in_use'],
  example: {},
  handler: async ({ ctx, tx, scope, params: { paymentMethodId: id }, buyer: { user } }) => {
    await lockMethods(tx, scope, user.id);
    const { subscriptionIds } = await showMethod(tx, scope, { userId: user.id, id });
    if (subscriptionIds.length > 0) throw new Refusal('payment_method_in_use');
    await dropMethod(ctx, scope, { tx, id });
    return { paymentMethods: await showMethods(tx, scope, user.id) };
  },
});

export const ownMethodRoutes: Route[] = [list, create, use, remove];
