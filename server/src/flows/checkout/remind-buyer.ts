/**
 * A purchase that was begun and not finished: one mail to the address that was typed, where the shop wants that. An
 * address that is typed proves nothing, so whoever types another's causes one mail in seven days, in our words alone,
 * and never one more to who has said stop.
 */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { REMINDERS_APART_MS, wantsReminder } from '../../domain/checkout/reminder.ts';
import { toAddressKey } from '../../domain/client-address.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { Refusal } from '../../domain/errors.ts';
import { toWholeName } from '../../domain/item-note.ts';
import { computeDiscountState } from '../../domain/pricing/discount.ts';
import type { Settings } from '../../domain/settings.ts';
import { findSessionById } from '../../resources/checkouts/checkouts.queries.ts';
import { hasBoughtSince, noteReminded } from '../../resources/checkouts/reminders.queries.ts';
import { findDiscount } from '../../resources/discounts/discounts.queries.ts';
import { toTerms } from '../../resources/discounts/discounts.schema.ts';
import { finishDueWork, insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { findOrder } from '../../resources/orders/orders.queries.ts';
import { countLimited } from '../limits/count-limited.ts';
import { toAddressHash } from '../mails/reminder-links.ts';
import { queueCausedMail } from '../outbox/queue-mail.ts';
import type { Cart } from '../pricing/quote-cart.ts';
import type { Session } from './open-checkout.ts';
import { loadSessionCart, toForm } from './show-checkout.ts';

const MINUTE_MS = 60_000;

function isToRemind(session: Session, { settings, type: orderType }: Cart): boolean {
  const { email } = toForm(session);
  return wantsReminder(settings.checkout, { orderType, email, isAsked: session.reminderAsked });
}

/** Each thing that is typed puts the mail off. In the session as it is written now. */
export async function planReminder(ctx: Context, session: Session, cart: Cart): Promise<void> {
  if (!isToRemind(session, cart)) return;
  const { workspaceId, testMode, id: refId } = session;
  const dueMs = ctx.nowMs + cart.settings.checkout.reminderMinutes * MINUTE_MS;
  await inTransaction(ctx.db, (tx) =>
    insertDueWork(tx, { workspaceId, testMode }, [{ kind: 'remind_buyer', refId, dueMs }]),
  );
}

/** The job: a mail where there is still something to finish. */
export async function remindBuyer(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId } = work;
  const unfinished = await findUnfinished(ctx, scope, refId);
  await inTransaction(ctx.db, async (tx) => {
    if (!(await finishDueWork(tx, work)) || !unfinished) return;
    await queueReminder(ctx, scope, { tx, ...unfinished });
  });
}

interface Unfinished {
  session: Session;
  cart: Cart;
  email: string;
}

/** Null for what is bought, being paid, called off, or cannot be bought any more. */
async function findUnfinished(ctx: Context, scope: Scope, id: string): Promise<Unfinished | null> {
  const session = await findSessionById(ctx.db, scope, id);
  if (!session || (session.byMerchant && session.expiresAt <= ctx.nowMs)) return null;
  const order = session.orderId === null ? null : await findOrder(ctx.db, scope, session.orderId);
  if (order && (order.paidAt !== null || !['FAILED', 'EXPIRED'].includes(order.status))) return null;
  const { email } = toForm(session);
  const cart = await loadSellable(ctx, session, email);
  if (!cart || email === null || !isToRemind(session, cart)) return null;
  const offerIds = cart.lines.map(({ offer }) => offer.id);
  const bought = { emailNormal: toEmailNormal(email), offerIds, sinceMs: session.createdAt };
  return (await hasBoughtSince(ctx.db, scope, bought)) ? null : { session, cart, email };
}

async function loadSellable(ctx: Context, session: Session, email: string | null): Promise<Cart | null> {
  try {
    const cart = await loadSessionCart(ctx, session, { typed: null, email });
    return cart.workspaceState === 'active' ? cart : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

async function queueReminder(
  ctx: Step,
  scope: Scope,
  { tx, session, cart, email }: Unfinished & { tx: Tx },
): Promise<void> {
  const { ipAddress, id: sessionId, language } = session;
  const limited =
    ipAddress === null ? [] : [{ limit: 'reminder_by_address' as const, of: toAddressKey(ipAddress) }];
  if (!(await countLimited(ctx, scope, { db: tx, limited }))) return;
  const reminded = { addressHash: toAddressHash(email), nowMs: ctx.nowMs, apartMs: REMINDERS_APART_MS };
  if (!(await noteReminded(tx, scope, reminded))) return;
  const [first] = cart.lines;
  const productName = first === undefined ? '' : nameWhole(first.offer);
  const discountCode = await findOfferedCode(ctx, scope, { tx, settings: cart.settings });
  const params = { sessionId, productName, discountCode };
  const mail = { kind: 'checkout_reminder' as const, params, key: `checkout_reminder:${sessionId}` };
  await queueCausedMail(ctx, scope, { tx, mail: { ...mail, at: ctx.nowMs, to: email, language } });
}

function nameWhole({ name, productName, variantName }: Cart['lines'][number]['offer']): string {
  return toWholeName({
    name: name ?? productName,
    product: { name: productName },
    variant: { name: variantName },
  });
}

/** A code that can be used now; null where none is set, or it cannot. */
async function findOfferedCode(
  ctx: Step,
  scope: Scope,
  { tx, settings }: { tx: Tx; settings: Settings },
): Promise<string | null> {
  const { reminderDiscountId: id } = settings.checkout;
  const discount = id === null ? undefined : await findDiscount(tx, scope, id);
  return discount && computeDiscountState(toTerms(discount), ctx.nowMs) === 'active'
    ? discount.discountCode
    : null;
}
