/** Creating and changing users: the rules that a schema cannot say. */

import type { Static } from 'typebox';
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { violatedKey } from '../../db/transaction.ts';
import { type Change, changeDetails, mergeDetails } from '../../domain/billing-details.ts';
import { parseEmail } from '../../domain/email.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { toInternalId } from '../../domain/internal-id.ts';
import { findPasswordIssue, toPasswordNormal } from '../../domain/password.ts';
import { chooseSpelling } from '../../domain/spellings.ts';
import { followUserDetails } from '../../domain/subscriptions/own-details.ts';
import { revokeSessionsOf } from '../../resources/portal/portal-sessions.queries.ts';
import {
  changeSubscription,
  lockRunningDetails,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { insertUser, lockUser, updateUser } from '../../resources/users/users.queries.ts';
import type { CreateUser, UpdateUser } from '../../resources/users/users.schema.ts';
import { chargeByMethod } from './charge-by-method.ts';
import { type BroughtMethod, keepBroughtMethod } from './keep-brought-method.ts';
import { keepSandboxCard } from './keep-sandbox-card.ts';

type CreateInput = Static<typeof CreateUser>;
type UpdateInput = Static<typeof UpdateUser>;
type PaymentData = Row<'users'>['paymentData'];

/**
 * The argon2id hash of the password given: it takes long, so that it is made before the transaction opens.
 * Undefined when none is given, null when it is to be removed.
 */
export async function hashGivenPassword(
  password: string | null | undefined,
): Promise<string | null | undefined> {
  if (password === undefined || password === null) return password;
  const issue = findPasswordIssue(password);
  if (issue) throw invalidField('password', issue);
  // A native module, loaded only by who needs it: most processes never hash.
  const { hash } = await import('@node-rs/argon2');
  return hash(toPasswordNormal(password));
}

/** Throws email_taken, and invalid_input for what cannot be. */
export async function createUser(
  ctx: Context,
  scope: Scope,
  {
    tx,
    input,
    passwordHash,
    brought = [],
  }: {
    tx: Tx;
    input: CreateInput;
    passwordHash: string | null | undefined;
    /** Of whom the input names, as their processors know them. */
    brought?: readonly BroughtMethod[];
  },
): Promise<Row<'users'>> {
  const billingDetails = changeDetails<Details>({}, input.billingDetails);
  const method = checkPaymentData(ctx, scope, input.paymentData);
  const user = await explainConflict(() =>
    insertUser(tx, scope, {
      id: ctx.ids.next(ctx.nowMs),
      ...toEmailColumns(input.email),
      username: toUsername(input) ?? null,
      internalId: toInternalId(input) ?? null,
      language: input.language ?? null,
      billingDetails: toJson(billingDetails),
      paymentData: toJson(toPaymentData(ctx, {}, input.paymentData)),
      passwordHash: passwordHash ?? null,
      archivedAt: null,
      createdAt: ctx.nowMs,
    }),
  );
  // It becomes the one that is charged when no other is named.
  if (method) await keepSandboxCard(ctx, scope, { tx, userId: user.id, reference: method, as: 'chosen' });
  for (const one of brought) await keepBroughtMethod(ctx, scope, { tx, userId: user.id, brought: one });
  return user;
}

/**
 * Missing fields stay as they are, also within billing details and payment data; null unsets. With another mailbox or
 * password all sessions of the portal end.
 */
export async function changeUser(
  ctx: Context,
  scope: Scope,
  {
    tx,
    id,
    input,
    passwordHash,
    brought = [],
    keptSessionId = null,
  }: {
    tx: Tx;
    id: string;
    input: UpdateInput;
    passwordHash: string | null | undefined;
    brought?: readonly BroughtMethod[];
    /** The buyer's own, in which they say so. */
    keptSessionId?: string | null;
  },
): Promise<{ before: Row<'users'>; after: Row<'users'> }> {
  const email = input.email === undefined ? {} : toEmailColumns(input.email);
  const internalId = toInternalId(input);
  const username = toUsername(input);
  const method = checkPaymentData(ctx, scope, input.paymentData);
  const before = await lockStanding(tx, scope, id);
  const billingDetails = changeDetails(before.billingDetails, input.billingDetails);
  const after = await explainConflict(() =>
    updateUser(tx, scope, {
      id,
      ...email,
      ...(username === undefined ? {} : { username }),
      ...(input.language === undefined ? {} : { language: input.language }),
      ...(internalId === undefined ? {} : { internalId }),
      ...(passwordHash === undefined ? {} : { passwordHash }),
      billingDetails: toJson(billingDetails),
      paymentData: toJson(toPaymentData(ctx, before.paymentData, input.paymentData)),
    }),
  );
  const isOtherWayIn = after.emailNormal !== before.emailNormal || after.passwordHash !== before.passwordHash;
  if (isOtherWayIn)
    await revokeSessionsOf(tx, scope, { userId: id, exceptId: keptSessionId, nowMs: ctx.realNowMs() });
  if (input.billingDetails) await tellSubscriptions(tx, scope, { user: after, change: input.billingDetails });
  // What was read and is sent back unchanged gives no card.
  const isKnown = input.paymentData?.sandboxCustomerId === before.paymentData.sandboxCustomerId;
  if (method && !isKnown) {
    const kept = { tx, userId: id, reference: method, as: 'chosen' } as const;
    const methodId = await keepSandboxCard(ctx, scope, kept);
    await chargeByMethod(ctx, scope, { tx, methodId, of: { userId: id } });
  }
  for (const one of brought) {
    const methodId = await keepBroughtMethod(ctx, scope, { tx, userId: id, brought: one });
    await chargeByMethod(ctx, scope, { tx, methodId, of: { userId: id } });
  }
  return { before, after };
}

export async function archiveUser(
  ctx: Step,
  scope: Scope,
  { tx, id, archive }: { tx: Tx; id: string; archive: boolean },
): Promise<{ before: Row<'users'>; after: Row<'users'> }> {
  const before = await lockStanding(tx, scope, id);
  const archivedAt = archive ? (before.archivedAt ?? ctx.nowMs) : null;
  return { before, after: await updateUser(tx, scope, { id, archivedAt }) };
}

/** Whoever was erased is written of no more: nothing would ever take it away again. */
async function lockStanding(tx: Tx, scope: Scope, id: string): Promise<Row<'users'>> {
  const user = await lockUser(tx, scope, id);
  if (!user) throw new Refusal('not_found');
  if (user.erasedAt !== null) throw new Refusal('archived', { message: 'The user was erased.' });
  return user;
}

/** `name` is another name of `username`. */
function toUsername({ username, name }: UpdateInput): string | null | undefined {
  return chooseSpelling(['username', username], ['name', name]);
}

function toEmailColumns(email: string | null) {
  if (email === null) return { email: null, emailNormal: null };
  const parsed = parseEmail(email);
  if (!parsed) throw invalidField('email', 'is not a valid e-mail address');
  return { email: parsed.address, emailNormal: parsed.normal };
}

type Details = Row<'users'>['billingDetails'];

/** What is to be kept as the user's payment method; the messages do not repeat a card's number. */
function checkPaymentData(ctx: Context, scope: Scope, data: CreateInput['paymentData']): string | null {
  const given = data?.sandboxCustomerId;
  if (given === undefined || given === null) return null;
  const path = 'paymentData.sandboxCustomerId';
  if (!scope.testMode) throw invalidField(path, 'is only possible in test mode');
  const reference = ctx.payments.sandbox.toStoredReference(given);
  if (reference === null) throw invalidField(path, 'must be card_ and the number of a sandbox card');
  return reference;
}

/** A card's number is not kept: of the card that it names, brand and last four digits are. */
function toPaymentData(
  ctx: Context,
  before: PaymentData,
  change: CreateInput['paymentData'] = {},
): PaymentData {
  // Where a customer is looked for is no name of theirs.
  const { connectionId: _, ...names } = change;
  const { sandboxCustomerId: given } = names;
  const shown = given ? { sandboxCustomerId: ctx.payments.sandbox.toShownReference(given) } : {};
  return mergeDetails<PaymentData>(before, { ...names, ...shown });
}

/** The merchant's word of a user is said of each of their subscriptions that has not ended. */
async function tellSubscriptions(
  tx: Tx,
  scope: Scope,
  { user, change }: { user: Row<'users'>; change: Change<Details> },
): Promise<void> {
  for (const { id, billingDetails } of await lockRunningDetails(tx, scope, user.id)) {
    const followed = followUserDetails(billingDetails ?? {}, change, user.billingDetails);
    await changeSubscription(tx, scope, id, { billingDetails: toJson(followed) });
  }
}

async function explainConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedKey(error) === 'users_workspace_id_test_mode_email_normal_key')
      throw new Refusal('email_taken', { cause: error, details: [{ path: 'email', message: 'is taken' }] });
    throw error;
  }
}
