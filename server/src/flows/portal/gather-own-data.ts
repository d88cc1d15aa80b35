/** All that a store has of a buyer, in the shapes that the portal answers. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { SECRET_KINDS } from '../../domain/mails/kinds.ts';
import { listInvoices } from '../../resources/invoices/listed-invoices.queries.ts';
import { findOrder, listOrderItems } from '../../resources/orders/orders.queries.ts';
import { toItem, toOrder } from '../../resources/orders/orders.schema.ts';
import { toPage } from '../../resources/paging.ts';
import { listPaymentMethods } from '../../resources/payment-methods/payment-methods.queries.ts';
import { toPaymentMethods } from '../../resources/payment-methods/payment-methods.schema.ts';
import { listPaymentsOfOrder } from '../../resources/payments/payments.queries.ts';
import { toPayment } from '../../resources/payments/payments.schema.ts';
import { toPortalDocument } from '../../resources/portal/bought.schema.ts';
import {
  listActsOf,
  listFormsOf,
  listMailsOf,
  listNotesOf,
  listNoticesOf,
  listOrderIdsOf,
  listSubscriptionIdsOf,
  listWithdrawalsOf,
} from '../../resources/portal/own-data.queries.ts';
import { listSessionsOf } from '../../resources/portal/portal-sessions.queries.ts';
import { listRefundsOfOrder } from '../../resources/refunds/refunds.queries.ts';
import { toRefund } from '../../resources/refunds/refunds.schema.ts';
import { loadSubscription } from '../../resources/sales/sale.view.ts';
import { toUser } from '../../resources/users/users.schema.ts';

/** Documents of one read. */
const DOCUMENTS_MAX = 100;

export async function gatherOwnData(ctx: Context, scope: Scope, user: Row<'users'>): Promise<object> {
  const { db } = ctx;
  const { id: userId, email } = user;
  const whose = { userId, email };
  const orders = [];
  for (const id of await listOrderIdsOf(db, scope, userId)) orders.push(await gatherOrder(ctx, scope, id));
  const subscriptions = [];
  for (const id of await listSubscriptionIdsOf(db, scope, userId))
    subscriptions.push(await loadSubscription(db, scope, id));
  const sessions = await listSessionsOf(db, scope, { userId, nowMs: 0, idleMs: Number.MAX_SAFE_INTEGER });
  return withoutLinks({
    exportedAt: ctx.realNowMs(),
    user: toUser(user),
    paymentMethods: toPaymentMethods(await listPaymentMethods(db, scope, userId)),
    orders,
    subscriptions,
    documents: await gatherDocuments(ctx, scope, userId),
    withdrawals: await listWithdrawalsOf(db, scope, whose),
    cancellationNotices: await listNoticesOf(db, scope, whose),
    mails: await listMailsOf(db, scope, { ...whose, secretKinds: SECRET_KINDS }),
    checkoutForms: await listFormsOf(db, scope, whose),
    notes: await listNotesOf(db, scope, userId),
    sessions: sessions.map(({ method, userAgent, createdAt, usedAt }) => ({
      ...{ method, userAgent, createdAt, usedAt },
    })),
    activity: await listActsOf(db, scope, userId),
  });
}

async function gatherOrder({ db, config: { publicUrl } }: Context, scope: Scope, id: string) {
  const row = await findOrder(db, scope, id);
  if (!row) return null;
  const items = await listOrderItems(db, scope, id);
  const payments = await listPaymentsOfOrder(db, scope, id);
  const refunds = await listRefundsOfOrder(db, scope, id);
  return {
    ...toOrder(row),
    items: items.map((item) => toItem(item, { withKeys: true })),
    payments: payments.map((payment) => toPayment(payment, publicUrl)),
    refunds: refunds.map((refund) => toRefund(refund, null)),
  };
}

async function gatherDocuments(ctx: Context, scope: Scope, userId: string): Promise<object[]> {
  const documents: object[] = [];
  for (let skip = 0; ; skip += DOCUMENTS_MAX) {
    const page = toPage({ take: DOCUMENTS_MAX, skip });
    const rows = await listInvoices(ctx.db, scope, { filter: { userId }, page });
    const shown = rows.slice(0, DOCUMENTS_MAX);
    documents.push(...shown.map((row) => toPortalDocument(row, ctx.config.publicUrl)));
    if (rows.length <= DOCUMENTS_MAX) return documents;
  }
}

/** A file is passed on and lies about: what would open something for whoever holds it is not in it. */
function withoutLinks(data: unknown): object {
  const text = JSON.stringify(data, (name, value: unknown) => (/url$/i.test(name) ? undefined : value));
  return JSON.parse(text) as object;
}
