/**
 * A user is erased: who they were goes out of every row that need not tell it. What the books need stays: orders with
 * the address that they were billed to, documents, the ledger. All of it is one transaction under the user's lock, so
 * that nothing is half done and nothing bought meanwhile is left out.
 */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toEmailNormal } from '../../domain/email.ts';
import {
  addEmail,
  blankAnswered,
  blankReason,
  blankText,
  blankValue,
  collectNames,
  type Erasing,
  type Found,
  toErasedWord,
} from '../../domain/erasure.ts';
import { maskEmail } from '../../domain/logged-body.ts';
import { toDeletionDueMs } from '../../domain/user-deletion.ts';
import { finishDueWork, insertDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { dropPlannedOf } from '../../resources/imports/imports.queries.ts';
import { listDetachable } from '../../resources/payment-methods/payment-methods.queries.ts';
import { blankRequests } from '../../resources/request-log/request-log.queries.ts';
import {
  allowBlanking,
  blankAnswer,
  blankAnswers,
  blankAttempt,
  blankAudit,
  blankBilling,
  blankEvents,
  blankMails,
  blankNotes,
  blankSessions,
  blankUser,
  blankWhereabouts,
  blankWritten,
  dropBroughtRefs,
  dropPortalRows,
  dropWaitingDeliveries,
  expireExports,
  hasRunningSubscription,
  listAttemptTexts,
  listEmailsOfOthers,
  listFormerEmails,
  listOwnAudit,
  listToldAnswers,
  listToldAudit,
  listToldEvents,
  listWritten,
  WRITTEN_IN,
} from '../../resources/users/erasure.queries.ts';
import { lockUser } from '../../resources/users/users.queries.ts';
import { blankView, listViewTexts } from '../../resources/views/views.queries.ts';

/** A user who has subscribed meanwhile is erased when that has ended. */
const LATER_MS = 24 * 3_600_000;
/** Shorter names are looked for in what names the user anyway: they are part of nearly every row. */
const NAME_LENGTH_MIN = 3;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Reference of the work: a user whose deletion was asked for. */
export async function eraseUser(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId } = work;
  await inTransaction(ctx.db, async (tx) => {
    const user = await lockUser(tx, scope, refId);
    // Taken back, or done.
    const dueMs = user?.erasedAt === null ? toDeletionDueMs(user) : null;
    const isWanted = user && dueMs !== null && dueMs <= ctx.nowMs;
    if (isWanted && (await hasRunningSubscription(tx, scope, refId))) {
      await postponeDueWork(tx, work, { dueMs: ctx.nowMs + LATER_MS });
      return;
    }
    if ((await finishDueWork(tx, work)) && isWanted) await erase(ctx, scope, { tx, user });
  });
}

interface Erasure {
  tx: Tx;
  user: Row<'users'>;
}

async function erase(ctx: Step, scope: Scope, { tx, user }: Erasure): Promise<void> {
  const { id: userId } = user;
  const { texts, details } = await collectOwn(scope, { tx, user });
  // What the bodies call the user is added on the way.
  const erasing = { word: toErasedWord(userId), texts, details };
  await allowBlanking(tx, scope);
  await eraseEvents(ctx, scope, { tx, user, erasing });
  await leaveToOthers(scope, { tx, userId, texts });
  const emails = toEmails(texts);
  const words = [userId, ...emails, ...emails.map(encodeURIComponent)];
  const noteIds = await blankNotes(tx, scope, { userId, word: erasing.word });
  const names = [...texts].filter((text) => text.length >= NAME_LENGTH_MIN);
  await eraseAudit(scope, { tx, userId, words: [...words, ...names, ...noteIds], erasing });
  await eraseWritten(scope, { tx, userId, erasing });
  await eraseViews(scope, { tx, erasing });
  const masked = emails.map(maskEmail);
  await eraseRequests(scope, { tx, words: [...words, ...names, ...noteIds], masked });
  for (const { key, response } of await listToldAnswers(tx, scope, words)) {
    await blankAnswer(tx, scope, {
      key,
      response: JSON.stringify(blankValue(JSON.parse(response), erasing)),
    });
  }
  const erased = { userId, word: erasing.word, emails, atMs: ctx.nowMs };
  await blankMails(tx, scope, erased);
  await blankSessions(tx, scope, erased);
  await blankAnswers(tx, scope, erased);
  const kept = await listDetachable(tx, scope, userId);
  await blankBilling(tx, scope, erased);
  await blankWhereabouts(tx, scope, erased);
  // How they are called at their processor goes once they are let go of there.
  const detaching = kept.map((refId) => ({ kind: 'detach_method' as const, refId, dueMs: ctx.nowMs }));
  await insertDueWork(tx, scope, detaching);
  await expireExports(tx, scope);
  await dropPortalRows(tx, scope, erased);
  await dropBroughtRefs(tx, scope, erased);
  await dropPlannedOf(tx, scope, emails);
  await blankUser(tx, scope, erased);
}

/** What the user is called and was called before: by their own row, and by what is told of their changes. */
async function collectOwn(scope: Scope, { tx, user }: Erasure): Promise<Found> {
  const found: Found = { texts: new Set(), details: new Set() };
  collectNames({ object: 'user', ...user, details: user.billingDetails }, found);
  for (const email of await listFormerEmails(tx, scope, user.id)) addEmail(email, found);
  for (const { before, after } of await listOwnAudit(tx, scope, user.id)) {
    for (const text of [before, after]) if (text !== null) collectNames(JSON.parse(text), found, true);
  }
  return found;
}

const toEmails = (texts: ReadonlySet<string>): string[] =>
  [...texts].filter((text) => text.includes('@')).map((email) => email.toLowerCase());

/** An address that the user gave up and somebody else has by now is that one's: their mails and forms stay. */
async function leaveToOthers(
  scope: Scope,
  { tx, userId, texts }: { tx: Tx; userId: string; texts: Set<string> },
): Promise<void> {
  const others = await listEmailsOfOthers(tx, scope, { userId, emails: toEmails(texts) });
  for (const text of [...texts]) if (others.has(toEmailNormal(text))) texts.delete(text);
}

/** Bodies, and what receivers answered to them. What the bodies call the user is noted on the way. */
async function eraseEvents(
  ctx: Step,
  scope: Scope,
  { tx, user, erasing }: Erasure & { erasing: Found & Erasing },
): Promise<void> {
  const eventIds: string[] = [];
  for (;;) {
    const page = await listToldEvents(tx, scope, user.id);
    if (page.length === 0) break;
    const bodies = page.map(({ id, body }) => ({ id, body: JSON.parse(body) as unknown }));
    for (const { body } of bodies) collectNames(body, erasing);
    const events = bodies.map(({ id, body }) => ({ id, body: JSON.stringify(blankValue(body, erasing)) }));
    await blankEvents(tx, scope, { events, atMs: ctx.nowMs });
    eventIds.push(...page.map(({ id }) => id));
  }
  if (eventIds.length === 0) return;
  await dropWaitingDeliveries(tx, scope, eventIds);
  for (const attempt of await listAttemptTexts(tx, scope, eventIds)) {
    const { id, responseText, errorDetail } = attempt;
    const blank = (text: string | null) => (text === null ? null : blankAnswered(text, erasing));
    await blankAttempt(tx, scope, { id, responseText: blank(responseText), errorDetail: blank(errorDetail) });
  }
}

/** The log masks addresses, of which the domain alone may tell whose one is. */
async function eraseRequests(
  scope: Scope,
  { tx, ...told }: { tx: Tx; words: string[]; masked: string[] },
): Promise<void> {
  for (let after: string | null = FIRST_ID; after !== null; ) {
    after = await blankRequests(tx, scope, { after, ...told });
  }
}

/** By a reference the merchant finds a purchase: a name may be a word of it that means something else. */
const blankReference = (text: string, erasing: Erasing) => String(blankValue(text, erasing));
const BLANKED_BY = {
  subscriptions: blankReason,
  refunds: blankText,
  orders: blankReference,
  checkoutSessions: blankReference,
};

/** Sentences of the merchant's and the buyer's about what was bought. */
async function eraseWritten(
  scope: Scope,
  { tx, userId, erasing }: { tx: Tx; userId: string; erasing: Erasing },
): Promise<void> {
  for (const table of WRITTEN_IN) {
    for (const { id, text } of await listWritten(tx, scope, { table, userId })) {
      const blanked = BLANKED_BY[table](text, erasing);
      if (blanked !== text) await blankWritten(tx, scope, { table, id, text: blanked });
    }
  }
}

/** A list that somebody keeps at hand by the user's address. */
async function eraseViews(scope: Scope, { tx, erasing }: { tx: Tx; erasing: Erasing }): Promise<void> {
  const blank = (text: string) => String(blankValue(text, erasing));
  for (const { id, ...view } of await listViewTexts(tx, scope)) {
    const name = blank(view.name);
    const query = blank(view.query);
    if (name !== view.name || query !== view.query) await blankView(tx, scope, { id, name, query });
  }
}

async function eraseAudit(
  scope: Scope,
  { tx, userId, words, erasing }: { tx: Tx; userId: string; words: string[]; erasing: Erasing },
): Promise<void> {
  const blank = (text: string | null, isOwn: boolean) =>
    text === null ? null : JSON.stringify(blankValue(JSON.parse(text), erasing, isOwn));
  for (let after: string | null = FIRST_ID; after !== null; ) {
    const { rows, next } = await listToldAudit(tx, scope, { after, words, userId });
    for (const { id, before, after: now, objectId } of rows) {
      const isOwn = objectId === userId;
      await blankAudit(tx, scope, { id, before: blank(before, isOwn), after: blank(now, isOwn) });
    }
    after = next;
  }
}
