/** The cards of a buyer: which there are, what they pay, and new ones. */
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import { dropMethod, keepMethod, payByMethod } from '../flows/portal/own-methods.ts';
import { buyerRead, buyerWrite } from '../http/portal-route.ts';
import type { Route } from '../http/route.ts';
import { listPaymentMethods } from '../resources/payment-methods/payment-methods.queries.ts';
import { toPaymentMethods } from '../resources/payment-methods/payment-methods.schema.ts';
import { NoBody } from '../resources/portal/bought.schema.ts';
import {
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
  const methods = toPaymentMethods(await listPaymentMethods(db, scope, userId));
  const running = await listRunningOf(db, scope, userId);
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

const create = buyerWrite({
  method: 'POST',
  path: '/v0/portal/payment-methods/create',
  operationId: 'createPortalPaymentMethod',
  tag: 'portal',
  summary: 'Add a card',
  description:
    'In test mode `card` is the number of a sandbox card. Of the subscriptions that are named it pays from now on, and at once what they owe.',
  body: AddMethod,
  data: OwnMethodData,
  errors: ['processor_not_configured', 'card_invalid', 'not_found'],
  example: { card: '4242424242424242' },
  handler: async ({ ctx, tx, scope, body, buyer: { user } }) => {
    const subscriptionIds = await findOwnIds(tx, scope, {
      userId: user.id,
      numbers: body.subscriptionIds ?? [],
    });
    const id = await keepMethod(ctx, scope, { tx, userId: user.id, card: body.card ?? null });
    await payByMethod(ctx, scope, { tx, userId: user.id, methodId: id, subscriptionIds, isDefault: false });
    return { paymentMethod: await showMethod(tx, scope, { userId: user.id, id }), action: null };
  },
});

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
    await showMethod(tx, scope, { userId: user.id, id: methodId });
    const numbers = body.subscriptionIds ?? [];
    const subscriptionIds = await findOwnIds(tx, scope, { userId: user.id, numbers });
    const isDefault = body.subscriptionIds === undefined;
    await payByMethod(ctx, scope, { tx, userId: user.id, methodId, subscriptionIds, isDefault });
    return { paymentMethod: await showMethod(tx, scope, { userId: user.id, id: methodId }), action: null };
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
  handler: async ({ tx, scope, params: { paymentMethodId: id }, buyer: { user } }) => {
    const { subscriptionIds } = await showMethod(tx, scope, { userId: user.id, id });
    if (subscriptionIds.length > 0) throw new Refusal('payment_method_in_use');
    await dropMethod(tx, scope, id);
    return { paymentMethods: await showMethods(tx, scope, user.id) };
  },
});

export const ownMethodRoutes: Route[] = [list, create, use, remove];
