/**
 * A user's stored methods at a checkout: offered to whoever has proved to be that user and to nobody else, since an
 * address that is typed proves nothing.
 */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { nameMethod } from '../../domain/payments/method-name.ts';
import { DAYS_WHEN_KEPT } from '../../domain/processors/method-types.ts';
import type { ChargeMethod, PaymentProvider } from '../../providers/payment/payment-provider.ts';
import { listPaymentMethods } from '../../resources/payment-methods/payment-methods.queries.ts';
import { toShortPaymentMethod } from '../../resources/payment-methods/payment-methods.schema.ts';
import { findUser } from '../../resources/users/users.queries.ts';
import { findCharging, getCharging } from '../payments/provider-of.ts';

/** How an order's money is asked for. */
export interface Payer {
  /** Of what was kept before connections were told apart the id is not known. */
  connection: { id: string | null; provider: PaymentProvider };
  method: ChargeMethod;
  /** The stored method that is charged; null = what the buyer gave just now. */
  methodId: string | null;
  /** What the buyer gave is to be stored as their own. */
  keepsMethod: boolean;
}

export interface SavedMethod extends Omit<Payer, 'keepsMethod'> {
  /** It brings the money days later. */
  takesDays: boolean;
}

const takesDays = ({ details }: Pick<Row<'paymentMethods'>, 'details'>): boolean =>
  // Written when the method was kept, by `PaymentMethodDetails`.
  DAYS_WHEN_KEPT.has((details as { type: string }).type);

/** What the page offers to a user: their methods that can be charged now, the default first, and whose they are. */
export async function showSaved(
  ctx: Context,
  scope: Scope,
  { userId, isScarce }: { userId: string; isScarce: boolean },
) {
  const user = await findUser(ctx.db, scope, userId);
  if (!user || user.archivedAt !== null || user.erasedAt !== null) return null;
  const rows = await listPaymentMethods(ctx.db, scope, userId);
  const methods = [];
  // Others may wait for what is scarce.
  for (const row of rows.filter((one) => !isScarce || !takesDays(one)))
    if (await findCharging(ctx, scope, row)) methods.push(toShown(row));
  return { email: user.email ?? '', methods };
}

function toShown(row: Row<'paymentMethods'>) {
  const method = toShortPaymentMethod(row);
  return { ...method, name: nameMethod(method) };
}

export interface ChosenMethod {
  /** Who has proved to ask; null = nobody. */
  userId: string | null;
  methodId: string;
  /** Whom the order will be of. */
  email: string | null;
}

/**
 * The stored method that its user pays by. Throws proof_required for anybody else, not_found for a method that is not
 * theirs, invalid_input where the order would be another one's, and processor_not_configured.
 */
export async function takeSaved(
  ctx: Context,
  scope: Scope,
  { userId, methodId, email }: ChosenMethod,
): Promise<SavedMethod> {
  await refuseOther(ctx, scope, { userId, email });
  const rows = userId === null ? [] : await listPaymentMethods(ctx.db, scope, userId);
  const row = rows.find(({ id }) => id === methodId);
  if (!row) throw new Refusal('not_found');
  const provider = await getCharging(ctx, scope, row);
  const method = { kind: 'stored' as const, reference: row.reference };
  return { connection: { id: row.connectionId, provider }, method, methodId, takesDays: takesDays(row) };
}

/** Whether what is paid with may become, or is, the user's own: throws as `takeSaved` does where it may not. */
export async function refuseOther(
  ctx: Context,
  scope: Scope,
  { userId, email }: Omit<ChosenMethod, 'methodId'>,
): Promise<void> {
  const user = userId === null ? undefined : await findUser(ctx.db, scope, userId);
  if (!user || user.archivedAt !== null || user.erasedAt !== null) throw new Refusal('proof_required');
  const isOwn = email !== null && user.email !== null && toEmailNormal(email) === toEmailNormal(user.email);
  if (!isOwn) throw invalidField('email', 'is not that of the stored card’s owner');
}
