/** All SQL of mails, but for those that are queued with an event. */

import { type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { containing, countRows, onPage, type Page } from '../../db/list.ts';
import type { MailsTable } from '../../db/schema/work.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { isSpread } from '../../db/store-form.ts';
import type { JobKind } from '../../domain/due-work.ts';
import { listSpellings } from '../../domain/email.ts';
import { hasSubscriptionOffers } from '../consumer/legal-pages.sql.ts';
import { type ClaimedWork, toDueWorkInsertion } from '../due-work/due-work.sql.ts';
import {
  type BuyerMailRow,
  type QueuedMail,
  SHOP_LANGUAGE,
  toBuyerMailInsertion,
  toMailDueWork,
} from './mails.sql.ts';
import { endMailWork, insertMailsApart } from './mails-apart.queries.ts';

export interface NewMailRow {
  id: string;
  kind: string;
  key: string;
  recipient: string;
  /** Null = nobody has said it: the shop's. */
  language: string | null;
  /** JSON. */
  params: string;
  createdAt: number;
  /** It is written and kept, and never sent. */
  heldBack: boolean;
}

/** Queues mails to the given addresses; one that is there already, by key and recipient, stays as it is. */
export async function insertMails(tx: Tx, scope: Scope, mails: NewMailRow[]): Promise<void> {
  const values = mails.map(
    (mail) => sql`(
      ${mail.id}::uuid, ${mail.kind}::text, ${mail.key}::text, ${mail.recipient}::text, ${mail.language}::text,
      ${mail.params}::jsonb, ${mail.createdAt}::bigint, ${mail.heldBack}::boolean)`,
  );
  const insertion = sql<QueuedMail>`
    insert into mails (workspace_id, test_mode, id, kind, key, recipient, language, params, created_at, held_back)
    select ${scope.workspaceId}::uuid, ${scope.testMode}::boolean, m.id, m.kind, m.key, m.recipient,
      coalesce(m.language, ${SHOP_LANGUAGE}, 'en'), m.params, m.created_at, m.held_back
    from (values ${sql.join(values)})
      as m (id, kind, key, recipient, language, params, created_at, held_back)
    join stores st on ${inScope(scope, 'st')}
    on conflict (workspace_id, test_mode, key, recipient) do nothing
    returning workspace_id, test_mode, id, created_at`;
  await insertWithDueWork(tx, scope, insertion);
}

/** Queues mails to whoever bought the orders, in the language of their checkout. */
export async function insertBuyerMails(tx: Tx, scope: Scope, mails: BuyerMailRow[]): Promise<void> {
  await insertWithDueWork(tx, scope, toBuyerMailInsertion(scope, mails));
}

export type OwnerMailRow = Pick<NewMailRow, 'kind' | 'key' | 'params' | 'createdAt'> & {
  /** Members other than the Owner get it where they wish to be told of such. */
  notification: string;
};

/** Queues mails to the Owner of the workspace and to the members who wish to be told. */
export async function insertOwnerMails(tx: Tx, scope: Scope, mails: OwnerMailRow[]): Promise<void> {
  const values = mails.map(
    ({ kind, key, params, createdAt, notification }) =>
      sql`(${kind}::text, ${key}::text, ${params}::jsonb, ${createdAt}::bigint, ${notification}::text)`,
  );
  const insertion = sql<QueuedMail>`
    insert into mails (workspace_id, test_mode, id, kind, key, recipient, language, params, created_at)
    select o.workspace_id, ${scope.testMode}::boolean, uuid_v7(m.created_at), m.kind, m.key, a.email,
      a.language, m.params, m.created_at
    from (values ${sql.join(values)}) as m (kind, key, params, created_at, notification)
    join memberships o on o.workspace_id = ${scope.workspaceId}
      and (o.role = 'owner' or m.notification = any(o.notifications))
    join accounts a on a.id = o.account_id and (o.role = 'owner' or a.disabled_at is null)
    on conflict (workspace_id, test_mode, key, recipient) do nothing
    returning workspace_id, test_mode, id, created_at`;
  await insertWithDueWork(tx, scope, insertion);
}

async function insertWithDueWork(tx: Tx, scope: Scope, insertion: RawBuilder<QueuedMail>): Promise<void> {
  if (isSpread(tx)) return insertMailsApart(tx, scope, insertion);
  await sql`with new_mails as (${insertion}) ${toMailDueWork(scope)}`.execute(tx);
}

/**
 * Queues a mail once more, as a new one: to whoever bought its order, by the address that they have now, else to whom it
 * went. False where nobody is there any more.
 */
export async function insertMailAgain(
  tx: Tx,
  scope: Scope,
  again: { ofId: string; id: string; createdAt: number },
): Promise<boolean> {
  const { ofId, id, createdAt } = again;
  const insertion = sql`
    insert into mails (workspace_id, test_mode, id, kind, key, recipient, language, params, event_id, order_id,
      payment_id, subscription_id, created_at)
    select m.workspace_id, m.test_mode, ${id}::uuid, m.kind, 'resend:' || ${id}::text, coalesce(u.email, m.recipient),
      m.language, m.params, m.event_id, m.order_id, m.payment_id, m.subscription_id, ${createdAt}::bigint
    from mails m
    left join orders o on ${inScope(scope, 'o')} and o.id = m.order_id
    left join users u on ${inScope(scope, 'u')} and u.id = o.user_id
    where ${inScope(scope, 'm')} and m.id = ${ofId}::uuid and (o.id is null or u.email is not null)
    returning workspace_id, test_mode, id, created_at`;
  const { rows } = await insertion.execute(tx);
  if (rows.length === 0) return false;
  await toDueWorkInsertion(scope, [{ kind: 'send_mail', refId: id, dueMs: createdAt }]).execute(tx);
  return true;
}

/** A mail with the body of the event that it tells of, the checkout session of its order, and who sends it. */
export type WholeMail = Row<'mails'> & {
  eventBody: string | null;
  /** A live store of a copy for tries sends nothing: it is kept to be read. */
  isOfCopy: boolean;
  sessionToken: string | null;
  elementId: string | null;
  offerIds: string[] | null;
  /** The secret of the page that pays it. */
  payToken: string | null;
  /** What the payment pays for. */
  periodStart: number | null;
  periodEnd: number | null;
  /** When a charge that failed is made again, if that is not for a mail alone. */
  retryAt: number | null;
  /** Until when its order can be paid, while it is not. */
  payableUntil: number | null;
  /** When the order's buyer agreed to something. */
  consentedAt: number | null;
  /** Until when the buyer may withdraw from its order. */
  withdrawableUntil: number | null;
  /** Of the store that sends it. */
  settings: Row<'stores'>['settings'];
  storeName: string;
  portalSlug: string;
  hasSubscriptionOffers: boolean;
};

const wholeMail = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  db
    .selectFrom('mails')
    .innerJoin('stores', (join) =>
      join
        .onRef('stores.workspaceId', '=', 'mails.workspaceId')
        .onRef('stores.testMode', '=', 'mails.testMode'),
    )
    .innerJoin('workspaces', 'workspaces.id', 'mails.workspaceId')
    .leftJoin('events', (join) =>
      join
        .onRef('events.workspaceId', '=', 'mails.workspaceId')
        .on('events.workspaceId', '=', scope.workspaceId)
        .onRef('events.testMode', '=', 'mails.testMode')
        .onRef('events.id', '=', 'mails.eventId'),
    )
    .leftJoin('orders', (join) =>
      join
        .onRef('orders.workspaceId', '=', 'mails.workspaceId')
        .on('orders.workspaceId', '=', scope.workspaceId)
        .onRef('orders.testMode', '=', 'mails.testMode')
        .onRef('orders.id', '=', 'mails.orderId'),
    )
    .leftJoin('checkoutSessions', (join) =>
      join
        .onRef('checkoutSessions.workspaceId', '=', 'orders.workspaceId')
        .on('checkoutSessions.workspaceId', '=', scope.workspaceId)
        .onRef('checkoutSessions.testMode', '=', 'orders.testMode')
        .onRef('checkoutSessions.id', '=', 'orders.sessionId'),
    )
    .leftJoin('payments', (join) =>
      join
        .onRef('payments.workspaceId', '=', 'mails.workspaceId')
        .on('payments.workspaceId', '=', scope.workspaceId)
        .onRef('payments.testMode', '=', 'mails.testMode')
        .onRef('payments.id', '=', 'mails.paymentId'),
    )
    .leftJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.workspaceId', '=', 'mails.workspaceId')
        .on('subscriptions.workspaceId', '=', scope.workspaceId)
        .onRef('subscriptions.testMode', '=', 'mails.testMode')
        .onRef('subscriptions.id', '=', 'mails.subscriptionId')
        .on('subscriptions.status', '=', 'past_due')
        .on('subscriptions.dunningHard', '=', false),
    )
    .selectAll('mails')
    .select([
      'payments.periodStart',
      'payments.periodEnd',
      'payments.payToken',
      'subscriptions.retryAt',
      'events.body as eventBody',
      'orders.consentedAt',
      'orders.withdrawableUntil',
      'orders.expiresAt as payableUntil',
      'checkoutSessions.token as sessionToken',
      'checkoutSessions.elementId',
      'checkoutSessions.offerIds',
      'stores.settings',
      'workspaces.name as storeName',
      'workspaces.portalSlug',
      hasSubscriptionOffers(scope).as('hasSubscriptionOffers'),
    ])
    .select(
      sql<boolean>`(not mails.test_mode and (select i.is_copy from installation_state i))`.as('isOfCopy'),
    )
    .where(inScope(scope, 'mails'))
    .where('mails.id', '=', id),
);

export async function findWholeMail(db: Db, scope: Scope, id: string): Promise<WholeMail | undefined> {
  const [row] = await wholeMail(db, { ...scopeColumns(scope), id });
  return row;
}

export async function findMail(db: Db, scope: Scope, id: string): Promise<Row<'mails'> | undefined> {
  return db.selectFrom('mails').selectAll().where(inScope(scope)).where('id', '=', id).executeTakeFirst();
}

type MailChanges = Updateable<MailsTable> & { id: string };

const update = keepQuery((db, { workspaceId, testMode, id, ...changes }: Scope & MailChanges) =>
  db.updateTable('mails').set(changes).where(inScope({ workspaceId, testMode })).where('id', '=', id),
);

export async function updateMail(tx: Tx, scope: Scope, changes: MailChanges): Promise<void> {
  await update(tx, { ...changes, ...scopeColumns(scope) });
}

interface Finishing extends Scope {
  kind: JobKind;
  refId: string;
  fence: number;
  parts: { changes: Omit<MailChanges, 'id'> };
}

const finishing = keepQuery((db, { parts: { changes }, kind, refId, fence, ...scope }: Finishing) =>
  db
    .with('held', (qb) =>
      qb
        .deleteFrom('dueWork')
        .where(inScope(scope))
        .where('kind', '=', kind)
        .where('refId', '=', refId)
        .where('fence', '=', fence)
        .returning('refId'),
    )
    .updateTable('mails')
    .set(changes)
    .where(inScope(scope))
    .where('id', '=', (eb) => eb.selectFrom('held').select('refId')),
);

/** Ends the claimed row of a mail and records what became of it; nothing when the lease was lost. */
export async function finishMail(tx: Tx, work: ClaimedWork, changes: MailChanges): Promise<void> {
  if (isSpread(tx)) {
    if (await endMailWork(tx, work)) await updateMail(tx, work.scope, changes);
    return;
  }
  const { scope, kind, refId, fence } = work;
  const { id: _id, ...changed } = changes;
  await finishing(tx, { ...scopeColumns(scope), kind, refId, fence, parts: { changes: changed } });
}

export interface MailFilter {
  kinds?: string[];
  statuses?: string[];
  /** The whole address, compared without case. */
  recipient?: string;
  /** Part of the address or of the subject. */
  term?: string;
  orderId?: string;
  createdFrom?: number;
  createdTo?: number;
}

export async function listMails(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: MailFilter; page: Page },
): Promise<Array<Row<'mails'>>> {
  return onPage(filtered(db, scope, filter).selectAll(), page).execute();
}

export async function countMails(
  db: Db,
  scope: Scope,
  { filter, limit }: { filter: MailFilter; limit: number | null },
): Promise<number> {
  return countRows(filtered(db, scope, filter), db, limit);
}

function filtered(db: Db, scope: Scope, filter: MailFilter) {
  const { kinds, statuses, recipient, term, orderId, createdFrom, createdTo } = filter;
  let query = db.selectFrom('mails').where(inScope(scope));
  if (kinds) query = query.where('kind', 'in', kinds);
  if (statuses) query = query.where(sql<SqlBool>`status = any(${statuses}::text[])`);
  if (recipient)
    query = query.where(sql<SqlBool>`lower(recipient) = any(${listSpellings(recipient)}::text[])`);
  if (orderId) query = query.where('orderId', '=', orderId);
  if (createdFrom !== undefined) query = query.where('createdAt', '>=', createdFrom);
  if (createdTo !== undefined) query = query.where('createdAt', '<=', createdTo);
  if (!term) return query;
  const pattern = containing(term);
  return query.where((eb) => eb.or([eb('recipient', 'ilike', pattern), eb('subject', 'ilike', pattern)]));
}
