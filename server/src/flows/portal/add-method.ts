/** A buyer adds a method in their portal: by the processor's own fields or on its page, for 0, and theirs from then on. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { toShownReason } from '../../domain/payments/shown-decline.ts';
import { toMethodsPath } from '../../domain/portal/portal-path.ts';
import type { Settings } from '../../domain/settings.ts';
import type { ChargeMethod } from '../../providers/payment/payment-provider.ts';
import { findLastSetup, findMethodSetup } from '../../resources/method-setups/method-setups.queries.ts';
import { listRunningOf } from '../../resources/portal/running.queries.ts';
import { lockUser } from '../../resources/users/users.queries.ts';
import { ASKED } from '../dunning/settle-setup.ts';
import { confirmMethod, takeMethodFor } from '../dunning/take-method.ts';
import { type Limited, refuseSpent, takeLimited } from '../limits/count-limited.ts';
import { listOfferedFor, type Offered } from '../payments/choose-connection.ts';

export interface AddingBuyer {
  userId: string;
  settings: Settings;
  store: { slug: string; currency: string | null };
}

export interface GivenMethod {
  option: 'token' | 'redirect';
  token: string | null;
  /** Of theirs: it pays them from then on, and at once what they owe. */
  subscriptionIds: readonly string[];
  addressKey: string;
  /** Runs in the first transaction, with the id of what is asked for. */
  begin(tx: Tx, id: string): Promise<void>;
}

/** Answers the id of what is asked for. Throws processor_not_configured, payment_in_progress, rate_limited. */
export async function addMethod(
  ctx: Context,
  scope: Scope,
  { buyer, given }: { buyer: AddingBuyer; given: GivenMethod },
): Promise<string> {
  const { userId, store } = buyer;
  const { option, addressKey, subscriptionIds } = given;
  if (store.currency === null) throw new Refusal('processor_not_configured');
  return takeMethodFor(ctx, scope, {
    owner: { buyerId: userId },
    ...{ currency: store.currency, addressKey },
    method: option === 'redirect' ? { kind: 'redirect' } : await toToken(ctx, scope, { buyer, given }),
    admit: async (tx, id) => {
      const { email = null } = (await lockUser(tx, scope, userId)) ?? {};
      const declines: Limited[] = [{ limit: 'decline_by_address', of: addressKey }];
      if (email !== null) declines.push({ limit: 'decline_by_email', of: toEmailNormal(email) });
      await refuseSpent(ctx, scope, { db: tx, limited: declines, code: 'too_many_declines' });
      await takeLimited(ctx, scope, { db: tx, limited: [{ limit: 'method_by_buyer', of: userId }] });
      await given.begin(tx, id);
      return { userId, purpose: 'portal', subscriptionId: null, subscriptionIds: [...subscriptionIds] };
    },
  });
}

/** By the very list that the fields were shown with. */
async function toToken(
  ctx: Context,
  scope: Scope,
  { buyer, given: { token } }: { buyer: AddingBuyer; given: GivenMethod },
): Promise<ChargeMethod> {
  if (token === null) throw invalidField('payment.token', 'is missing');
  const { fields } = await listAddable(ctx, scope, buyer);
  if (!fields) throw new Refusal('processor_not_configured');
  return { kind: 'token', reference: token, types: fields.types, isInPage: true };
}

async function listAddable(
  ctx: Context,
  scope: Scope,
  { settings, store: { currency } }: AddingBuyer,
): Promise<Offered> {
  if (currency === null) return { methods: [], fields: null, hasMoreWays: false };
  return listOfferedFor(ctx, scope, {
    ...{ settings, currency, country: null, canWait: false },
    // What takes days takes no longer to be kept.
    fields: { amountMinor: 0n, keepsMethod: true, isScarce: false, isFramed: false },
  });
}

export interface AddedMethod {
  status: 'succeeded' | 'processing' | 'requires_action' | 'failed';
  methodId: string | null;
  /** Where the buyer's bank asks them. */
  actionUrl: string | null;
  /** The processor says what it wants when it is asked, and its script may show that in the page. */
  isActionAsked: boolean;
  failure: { reason: string; message: string } | null;
}

/** What has come of one. */
export async function showAdded(
  { db }: Pick<Context, 'db'>,
  scope: Scope,
  { id, slug }: { id: string; slug: string },
): Promise<AddedMethod> {
  const setup = await findMethodSetup(db, scope, id);
  if (!setup) throw new Refusal('not_found');
  return toAdded(setup, toMethodsPath({ slug, testMode: scope.testMode }));
}

function toAdded(
  { status, actionPath, paymentMethodId, declineReason, declineMessage }: Row<'methodSetups'>,
  path: string,
): AddedMethod {
  const isActionAsked = status === 'pending' && actionPath === ASKED;
  const waits = actionPath === null ? 'processing' : 'requires_action';
  const reason = toShownReason(declineReason ?? 'unknown');
  return {
    status: status === 'pending' ? waits : status,
    methodId: paymentMethodId,
    actionUrl: status !== 'pending' ? null : isActionAsked ? `${path}/authenticate` : actionPath,
    isActionAsked,
    failure: status === 'failed' ? { reason, message: declineMessage ?? '' } : null,
  };
}

/** What the buyer's page shows: how one can be added, and one that is under way. */
export async function showAdding(ctx: Context, scope: Scope, buyer: AddingBuyer) {
  const { userId, store } = buyer;
  const last = await findLastSetup(ctx.db, scope, { buyerId: userId });
  const path = toMethodsPath({ slug: store.slug, testMode: scope.testMode });
  const { methods, fields } = await listAddable(ctx, scope, buyer);
  const waiting = last?.status === 'pending' ? toAdded(last, path) : null;
  const running = await listRunningOf(ctx.db, scope, userId);
  return {
    status: waiting?.status ?? ('open' as const),
    actionUrl: waiting?.actionUrl ?? null,
    isActionAsked: waiting?.isActionAsked ?? false,
    /** Of the last one, which another visit need not be told of. */
    failure:
      last?.status === 'failed' && last.declineReason !== 'canceled' ? toAdded(last, path).failure : null,
    methods,
    processorFields: fields,
    subscriptionIds: running.map(({ number }) => number),
  };
}

/** The buyer is back from their bank. */
export async function confirmAdding(ctx: Context, scope: Scope, userId: string): Promise<void> {
  await confirmMethod(ctx, scope, { buyerId: userId });
}
