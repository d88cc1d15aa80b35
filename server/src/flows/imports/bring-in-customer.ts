/** Buyers of an import, and what they are charged by. */
import type { Context } from '../../context.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { parseEmail } from '../../domain/email.ts';
import type { CustomerLine, PaymentMethodLine } from '../../domain/imports/lines.ts';
import { insertPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { insertUser, lockUser, updateUser } from '../../resources/users/users.queries.ts';
import { keepSandboxCard } from '../users/keep-sandbox-card.ts';
import { getOurs } from './bring-in-catalogue.ts';
import type { BringingIn, BroughtIn } from './bringing.ts';
import { changeDetails, fillDetails } from './price-subscription.ts';

export async function bringInCustomer(
  ctx: Context,
  scope: Scope,
  { tx, line, looked, imported }: BringingIn<CustomerLine>,
): Promise<BroughtIn> {
  const email = parseEmail(line.email);
  assert(email, 'an e-mail that is none was refused');
  const { ours } = looked.decision;
  const before = ours && (await lockUser(tx, scope, ours.id));
  // Who was erased meanwhile does not come back under what they were called here.
  if (!before || before.erasedAt !== null) {
    const user = await insertUser(tx, scope, {
      id: ctx.ids.next(ctx.nowMs),
      ...{ email: email.address, emailNormal: email.normal },
      ...{ username: line.name ?? null, language: line.language ?? null },
      billingDetails: toJson(fillDetails(undefined, line)),
      broughtBy: imported.id,
      createdAt: line.createdAt ?? ctx.nowMs,
    });
    return { objectId: user.id, objectVersion: user.version };
  }
  const isKnown = looked.brought !== null;
  const details = isKnown ? changeDetails(before, line) : fillDetails(before, line);
  const named = isKnown ? { email: email.address, emailNormal: email.normal } : {};
  const after = await updateUser(tx, scope, {
    id: before.id,
    ...named,
    username: isKnown ? (line.name ?? before.username) : (before.username ?? line.name ?? null),
    billingDetails: toJson(details),
  });
  return { objectId: after.id, objectVersion: after.version };
}

/** The card of the sandbox that always pays. */
const REHEARSED = 'card_4242424242424242';

/** In a rehearsal each method is a card of the sandbox: nobody is charged. */
export async function bringInMethod(
  ctx: Context,
  scope: Scope,
  bringing: BringingIn<PaymentMethodLine>,
): Promise<BroughtIn> {
  const { tx, line, imported, batch } = bringing;
  const userId = getOurs(bringing, 'customer', line.customerRef);
  const as = line.isDefault ? ('chosen' as const) : ('kept' as const);
  await lockUser(tx, scope, userId);
  if (imported.rehearse !== null) {
    const reference = ctx.payments.sandbox.toStoredReference(REHEARSED);
    assert(reference, 'the sandbox knows its own card');
    const objectId = await keepSandboxCard(ctx, scope, { tx, userId, reference, as });
    return { objectId, objectVersion: 0 };
  }
  const { connectionId } = batch.facts;
  if (connectionId === null) return null;
  const { processorCustomer, processorMethod, type, brand, last4, expMonth, expYear } = line;
  const objectId = await insertPaymentMethod(tx, scope, {
    id: ctx.ids.next(ctx.nowMs),
    ...{ userId, connectionId, processor: 'stripe' },
    // As the connection writes it.
    reference: `${processorCustomer}/${processorMethod}/${type ?? 'card'}`,
    details: {
      ...{ type: type ?? 'card', brand: brand ?? null, last4: last4 ?? null },
      ...{ expMonth: expMonth ?? null, expYear: expYear ?? null },
    },
    expiry: expMonth != null && expYear != null ? { month: expMonth, year: expYear } : null,
    createdAt: ctx.nowMs,
    as,
  });
  return { objectId, objectVersion: 0 };
}
