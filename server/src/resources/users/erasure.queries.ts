/** SQL of erasing a user: what is told of them in rows that stay. */
import { sql } from 'kysely';
import { allowChange } from '../../db/allow-change.ts';
import type { Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { toDueWorkDeletion } from '../due-work/due-work.sql.ts';

/** Rows of one statement. */
const ROWS_MAX = 500;

/** The append-only tables let a transaction blank what a user is told of by, where it says whose workspace it is in. */
export async function allowBlanking(tx: Tx, { workspaceId }: Scope): Promise<void> {
  await allowChange(tx, 'erasure', workspaceId);
}

export async function hasRunningSubscription(tx: Tx, scope: Scope, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('subscriptions')
    .select('id')
    .where(inScope(scope))
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const toPatterns = (words: string[]) => words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);

const ordersOf = (scope: Scope, userId: string) =>
  sql`(select o.id from orders o where ${inScope(scope, 'o')} and o.user_id = ${userId})`;

/** A page of the events about a user's orders that still tell of them. */
export async function listToldEvents(
  tx: Tx,
  scope: Scope,
  userId: string,
): Promise<Array<{ id: string; body: string }>> {
  const { rows } = await sql<{ id: string; body: string }>`
    select e.id, e.body from events e
    where ${inScope(scope, 'e')} and e.order_id in ${ordersOf(scope, userId)} and e.erased_at is null
      and e.body is not null
    order by e.id limit ${ROWS_MAX}`.execute(tx);
  return rows;
}

export async function blankEvents(
  tx: Tx,
  scope: Scope,
  { events, atMs }: { events: ReadonlyArray<{ id: string; body: string }>; atMs: number },
): Promise<void> {
  await sql`
    update events e set body = n.body, erased_at = ${atMs}::bigint
    from unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ body }) => body)}::text[]) as n (id, body)
    where ${inScope(scope, 'e')} and e.id = n.id`.execute(tx);
}

/** What still waits to be told of these events is not told any more. */
export async function dropWaitingDeliveries(tx: Tx, scope: Scope, eventIds: string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update webhook_deliveries d set status = 'dropped', reason = 'event_erased'
    where ${inScope(scope, 'd')} and d.event_id = any(${eventIds}::uuid[]) and d.status = 'waiting'
    returning d.id`.execute(tx);
  const refIds = rows.map(({ id }) => id);
  await toDueWorkDeletion(scope, { kind: 'deliver_webhook', refIds }).execute(tx);
}

interface AttemptTexts {
  id: string;
  responseText: string | null;
  errorDetail: string | null;
}

export async function listAttemptTexts(tx: Tx, scope: Scope, eventIds: string[]): Promise<AttemptTexts[]> {
  return tx
    .selectFrom('webhookAttempts')
    .select(['id', 'responseText', 'errorDetail'])
    .where(inScope(scope))
    .where('eventId', 'in', eventIds)
    .execute();
}

export async function blankAttempt(tx: Tx, scope: Scope, { id, ...texts }: AttemptTexts): Promise<void> {
  await tx.updateTable('webhookAttempts').set(texts).where(inScope(scope)).where('id', '=', id).execute();
}

interface KeptText {
  id: string;
  before: string | null;
  after: string | null;
}

/** What is told of changes of the user itself. */
export async function listOwnAudit(
  tx: Tx,
  scope: Scope,
  userId: string,
): Promise<Array<Pick<KeptText, 'before' | 'after'>>> {
  const { rows } = await sql<Pick<KeptText, 'before' | 'after'>>`
    select a.before::text as before, a.after::text as after from audit_log a
    where ${inScope(scope, 'a')} and a.object_id = ${userId}::text`.execute(tx);
  return rows;
}

/** Addresses that were the user's before another took their place; one that was only asked for may be anybody's. */
export async function listFormerEmails(tx: Tx, scope: Scope, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('portalEmailChanges')
    .select(['oldEmail', 'newEmail'])
    .where(inScope(scope))
    .where('userId', '=', userId)
    .where('changedAt', 'is not', null)
    .execute();
  return rows.flatMap(({ oldEmail, newEmail }) => [oldEmail, newEmail]).filter((email) => email !== '');
}

/** Which of these addresses are another user's now, as they are compared. */
export async function listEmailsOfOthers(
  tx: Tx,
  scope: Scope,
  { userId, emails }: { userId: string; emails: string[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`
    select u.email_normal as email from users u
    where ${inScope(scope, 'u')} and u.email_normal = any(${emails.map(toEmailNormal)}::text[])
      and u.id <> ${userId}::uuid`.execute(tx);
  return new Set(rows.map(({ email }) => email));
}

/** A page of the audit rows after `after` that are about the user or hold one of these words; `next` null at the end. */
export async function listToldAudit(
  tx: Tx,
  scope: Scope,
  { after, words, userId }: { after: string; words: string[]; userId: string },
): Promise<{ rows: Array<KeptText & { objectId: string | null }>; next: string | null }> {
  const patterns = toPatterns(words);
  const { rows } = await sql<KeptText & { objectId: string | null; isTold: boolean }>`
    select p.id, p.before, p.after, p.object_id,
      coalesce(p.before ilike any(${patterns}::text[]), false) or coalesce(p.after ilike any(${patterns}::text[]), false)
        or coalesce(p.object_id = ${userId}::text, false) as is_told
    from (
      select a.id, a.object_id, a.before::text as before, a.after::text as after from audit_log a
      where ${inScope(scope, 'a')} and a.id > ${after}::uuid order by a.id limit ${ROWS_MAX}
    ) p order by p.id`.execute(tx);
  return {
    rows: rows.filter(({ isTold }) => isTold),
    next: rows.length < ROWS_MAX ? null : (rows.at(-1)?.id ?? null),
  };
}

export async function blankAudit(tx: Tx, scope: Scope, { id, before, after }: KeptText): Promise<void> {
  await sql`
    update audit_log a set before = ${before}::jsonb, after = ${after}::jsonb
    where ${inScope(scope, 'a')} and a.id = ${id}::uuid`.execute(tx);
}

/** Answers that are kept for a replay and hold one of these words; they are gone within a day. */
export async function listToldAnswers(
  tx: Tx,
  scope: Scope,
  words: string[],
): Promise<Array<{ key: string; response: string }>> {
  const patterns = toPatterns(words);
  const { rows } = await sql<{ key: string; response: string }>`
    select k.key, k.response from idempotency_keys k
    where ${inScope(scope, 'k')} and k.response ilike any(${patterns}::text[])`.execute(tx);
  return rows;
}

export async function blankAnswer(
  tx: Tx,
  scope: Scope,
  { key, response }: { key: string; response: string },
): Promise<void> {
  await tx
    .updateTable('idempotencyKeys')
    .set({ response })
    .where(inScope(scope))
    .where('key', '=', key)
    .execute();
}

export interface ErasedUser {
  userId: string;
  word: string;
  /** In lower case. */
  emails: string[];
  atMs: number;
}

/** Mails to the user: that there was one stays, what it said and to whom goes. */
export async function blankMails(tx: Tx, scope: Scope, { userId, word, emails }: ErasedUser): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update mails m set recipient = ${word}, key = 'erased:' || m.id, params = '{}', sender = null, reply_to = null,
      subject = null, letter = null, html = null, plain = null, last_error = null,
      status = case m.status when 'queued' then 'dropped' else m.status end
    where ${inScope(scope, 'm')} and (lower(m.recipient) = any(${emails}::text[])
      or m.kind in ('email_change_code', 'email_change_note') and m.key like ${`%:${userId}`}
      or m.order_id in ${ordersOf(scope, userId)} and not exists (
        select from memberships o join accounts a on a.id = o.account_id
        where o.workspace_id = m.workspace_id and a.email_normal = lower(m.recipient)))
    returning m.id`.execute(tx);
  const refIds = rows.map(({ id }) => id);
  await toDueWorkDeletion(scope, { kind: 'send_mail', refIds }).execute(tx);
}

/** Forms, addresses and ways back of checkouts: of those that led to an order of the user's, and of those that were left. */
export async function blankSessions(tx: Tx, scope: Scope, { userId, emails }: ErasedUser): Promise<void> {
  await sql`
    update checkout_sessions c set form = '{}', ip_address = null, trial_spent_by = null, redirect_url = null,
      cancel_url = null
    where ${inScope(scope, 'c')} and (c.order_id in ${ordersOf(scope, userId)} or c.user_id = ${userId}::uuid
      or lower(c.form ->> 'email') = any(${emails}::text[]))`.execute(tx);
  await sql`
    update orders o set opened_by = null
    where ${inScope(scope, 'o')} and o.user_id = ${userId} and o.opened_by is not null`.execute(tx);
}

/** Notes about the user and what they bought: that there is one stays. Answers their ids. */
export async function blankNotes(
  tx: Tx,
  scope: Scope,
  { userId, word }: Pick<ErasedUser, 'userId' | 'word'>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update notes n set text = ${word}
    where ${inScope(scope, 'n')} and (n.object_id = ${userId}::uuid or n.object_id in ${ordersOf(scope, userId)}
      or n.object_id in (
        select p.id from payments p where ${inScope(scope, 'p')} and p.order_id in ${ordersOf(scope, userId)}
        union all
        select s.id from subscriptions s where ${inScope(scope, 's')} and s.user_id = ${userId}))
    returning n.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Where sentences about a user's purchases stand, each in a column of its own, and which of the rows are of whom. */
const ofOrder = (scope: Scope, userId: string) => sql`t.order_id in ${ordersOf(scope, userId)}`;
const ofUser = (_: Scope, userId: string) => sql`t.user_id = ${userId}::uuid`;
const WRITTEN = {
  subscriptions: { table: 'subscriptions', column: 'cancel_reason', told: ofOrder },
  refunds: { table: 'refunds', column: 'note', told: ofOrder },
  orders: { table: 'orders', column: 'reference', told: ofUser },
  checkoutSessions: { table: 'checkout_sessions', column: 'reference', told: ofUser },
};
export const WRITTEN_IN = ['subscriptions', 'refunds', 'orders', 'checkoutSessions'] as const;

interface Written {
  id: string;
  text: string;
}

/** The sentences of one of these tables about a user's purchases. */
export async function listWritten(
  tx: Tx,
  scope: Scope,
  { table: key, userId }: { table: keyof typeof WRITTEN; userId: string },
): Promise<Written[]> {
  const { table, column, told } = WRITTEN[key];
  const { rows } = await sql<Written>`
    select t.id, ${sql.ref(`t.${column}`)} as text from ${sql.table(table)} t
    where ${inScope(scope, 't')} and ${told(scope, userId)} and ${sql.ref(`t.${column}`)} is not null`.execute(
    tx,
  );
  return rows;
}

export async function blankWritten(
  tx: Tx,
  scope: Scope,
  { table: key, id, text }: Written & { table: keyof typeof WRITTEN },
): Promise<void> {
  const { table, column } = WRITTEN[key];
  await sql`
    update ${sql.table(table)} t set ${sql.ref(column)} = ${text}
    where ${inScope(scope, 't')} and t.id = ${id}::uuid`.execute(tx);
}

/**
 * Where the buyer was: the address of each charge, and of an order the one beside the countries that tell its tax. Where
 * what was paid has one of these alone, its address stays: two are to be kept of a sale.
 */
export async function blankWhereabouts(tx: Tx, scope: Scope, { userId }: ErasedUser): Promise<void> {
  await sql`
    update charges c set ip_address = null
    where ${inScope(scope, 'c')} and c.ip_address is not null and c.payment_id in (
      select p.id from payments p where ${inScope(scope, 'p')} and p.order_id in ${ordersOf(scope, userId)})`.execute(
    tx,
  );
  await sql`
    update orders o set location_evidence = (
      select coalesce(jsonb_agg(e.piece order by e.place), '[]') from jsonb_array_elements(o.location_evidence)
        with ordinality as e (piece, place) where e.piece ->> 'kind' <> 'address')
    where ${inScope(scope, 'o')} and o.user_id = ${userId} and o.location_evidence @> '[{"kind": "address"}]'
      and (o.paid_at is null or o.value = 0 or jsonb_array_length(o.location_evidence) > 2)`.execute(tx);
}

/** What the buyer typed into the shop's own fields. */
export async function blankAnswers(tx: Tx, scope: Scope, { userId, word }: ErasedUser): Promise<void> {
  await sql`
    update order_items i set custom_fields = (
      select jsonb_object_agg(f.key, ${word}::text) from jsonb_each(i.custom_fields) f)
    where ${inScope(scope, 'i')} and i.order_id in ${ordersOf(scope, userId)} and i.custom_fields <> '{}'`.execute(
    tx,
  );
  await sql`
    update subscription_items i set custom_fields = (
      select jsonb_object_agg(f.key, ${word}::text) from jsonb_each(i.custom_fields) f)
    where ${inScope(scope, 'i')} and i.custom_fields <> '{}' and i.subscription_id in (
      select s.id from subscriptions s where ${inScope(scope, 's')} and s.user_id = ${userId})`.execute(tx);
}

/**
 * Methods and who has proved to own them, and the details of subscriptions, which have all ended. By what its processor
 * calls it a method is still to be let go of there.
 */
export async function blankBilling(tx: Tx, scope: Scope, { userId }: ErasedUser): Promise<void> {
  await tx.deleteFrom('payerProofs').where(inScope(scope)).where('userId', '=', userId).execute();
  await sql`
    delete from processor_customers c where ${inScope(scope, 'c')} and c.user_id = ${userId}::uuid`.execute(
    tx,
  );
  await tx
    .updateTable('methodSetups')
    .set({ paymentMethod: null })
    .where(inScope(scope))
    .where('userId', '=', userId)
    .where('settledAt', 'is not', null)
    .execute();
  await sql`
    update payment_methods m set
      reference = case when m.connection_id is not null and m.ended_at is null then m.reference
        else 'erased-' || m.id end, kept = false, chosen_at = null, exp_month = null,
      exp_year = null, details = '{"type": "erased", "brand": null, "last4": null, "card": null}'
    where ${inScope(scope, 'm')} and m.user_id = ${userId}`.execute(tx);
  await sql`
    update subscriptions s set billing_details = null, trial_card = null
    where ${inScope(scope, 's')} and s.user_id = ${userId}`.execute(tx);
}

/** Ways in, changes of the address, and the copy of what was kept. */
export async function dropPortalRows(tx: Tx, scope: Scope, { userId }: ErasedUser): Promise<void> {
  const tables = ['portalSessions', 'portalCodes', 'portalEmailChanges', 'portalExports'] as const;
  for (const table of tables)
    await tx.deleteFrom(table).where(inScope(scope)).where('userId', '=', userId).execute();
}

/** By what the user was called where they were brought in from a later import finds nobody: who comes again is new. */
export async function dropBroughtRefs(tx: Tx, scope: Scope, { userId }: ErasedUser): Promise<void> {
  await sql`
    delete from import_refs f
    where ${inScope(scope, 'f')} and (f.kind = 'customer' and f.object_id = ${userId}::uuid
      or f.kind = 'payment_method' and f.object_id in (
        select m.id from payment_methods m where ${inScope(scope, 'm')} and m.user_id = ${userId}::uuid))`.execute(
    tx,
  );
}

/** Files of lists may tell of the user: those that are kept are let go, and those under way do not become one. */
export async function expireExports(tx: Tx, scope: Scope): Promise<void> {
  await sql`update exports e set expires_real_ms = 0 where ${inScope(scope, 'e')}`.execute(tx);
}

/** The user itself, last: by its lock nobody has bought under its e-mail meanwhile. */
export async function blankUser(tx: Tx, scope: Scope, { userId, atMs }: ErasedUser): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({
      ...{ email: null, emailNormal: null, username: null, internalId: null, passwordHash: null },
      ...{ billingDetails: '{}', paymentData: '{}', erasedAt: atMs },
      archivedAt: sql<number>`coalesce(archived_at, ${atMs}::bigint)`,
    })
    .where(inScope(scope))
    .where('id', '=', userId)
    .executeTakeFirst();
  assert(numUpdatedRows === 1n, 'a user is never deleted');
}
