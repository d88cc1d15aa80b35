/** What was bought: the overview, orders with their receipts, and documents. */
import { useLocale } from '../../ui/locale.tsx';
import { Parts, Row, TaxRows, taxKey } from '../../ui/parts/totals.tsx';
import type { TaxLine } from '../../ui/view.ts';
import { Go, Loading, Screen, useData, usePortal } from '../context.tsx';
import { describeOwn } from '../method-names.ts';
import { toFullName, toItemNames } from '../names.ts';
import type { Item, Money, Order, Payment, Refund, Subscription } from '../shapes.ts';
import { p, pCode } from '../text.ts';
import { useRows } from '../use-rows.tsx';

interface Need {
  kind: string;
  id: string | null;
  amount: number | null;
  url: string | null;
  at: number | null;
}

export interface Overview {
  needs: Need[];
  subscriptions: Subscription[];
  nextPayments: Array<{ subscriptionId: string; date: number; value: number }>;
  orders: Order[];
}

export function OverviewScreen() {
  const { data, error, retry } = useData<Overview>('/overview');
  if (!data)
    return (
      <Screen title={p('overview.title')} error={error} retry={retry}>
        {!error && <Loading />}
      </Screen>
    );
  const { needs, subscriptions, nextPayments, orders } = data;
  return (
    <Screen title={p('overview.title')}>
      <Needs needs={needs} subscriptions={subscriptions} />
      {subscriptions.length > 0 && (
        <section>
          <h2>{p('overview.subscriptions')}</h2>
          <ul class="portal-list">
            {subscriptions.map((one) => (
              <SubscriptionRow
                key={one.id}
                subscription={one}
                next={nextPayments.find(({ subscriptionId }) => subscriptionId === one.id)}
              />
            ))}
          </ul>
        </section>
      )}
      {orders.length > 0 ? (
        <section>
          <h2>{p('overview.orders')}</h2>
          <OrderRows orders={orders} />
        </section>
      ) : (
        <p>{p('overview.empty')}</p>
      )}
    </Screen>
  );
}

/** What waits for the buyer; nothing where nothing does. */
export function Needs({ needs, subscriptions }: Pick<Overview, 'needs' | 'subscriptions'>) {
  if (needs.length === 0) return null;
  return (
    <section aria-label={p('overview.needs')} class="portal-needs">
      <ul>
        {needs.map((need) => (
          <NeedRow
            key={`${need.kind} ${need.id}`}
            need={need}
            subscription={subscriptions.find(({ id }) => id === need.id)}
          />
        ))}
      </ul>
    </section>
  );
}

interface NeedRowProps {
  need: Need;
  /** The one that it is about, in whose currency it is owed. */
  subscription: Subscription | undefined;
}

function NeedRow({ need, subscription }: NeedRowProps) {
  const { money, date } = useLocale();
  const { kind, id, url, at } = need;
  const amount = subscription && need.amount !== null ? money(need.amount, subscription) : '';
  return (
    <li>
      <span>
        {pCode('need.', kind, kind)
          .replace('{amount}', amount)
          .replace('{id}', id ?? '')
          .replace('{date}', at === null ? '' : date(at))}
      </span>
      {url && (
        <a class="secondary" href={url}>
          {kind === 'owed' && amount
            ? p('need.pay', { amount })
            : p(kind === 'authentication' ? 'need.answer' : 'need.see')}
        </a>
      )}
    </li>
  );
}

interface SubscriptionRowProps {
  subscription: Subscription;
  next: Overview['nextPayments'][number] | undefined;
}

function SubscriptionRow({ subscription, next }: SubscriptionRowProps) {
  const { money, every, date } = useLocale();
  const { id, items, recurringInterval: interval, recurringIntervalCount: count } = subscription;
  const { value } = subscription;
  return (
    <li>
      <Go to={`/subscriptions/${id}`} className="portal-row">
        <span class="portal-row-name">{items[0] ? toFullName(items[0]) : id}</span>
        <span class="amount">
          {money(value, subscription)} {every({ interval, count })}
        </span>
        <span class="hint">
          <StatusText subscription={subscription} />
          {next &&
            ` · ${p('sub.next')} ${money(next.value, subscription)} ${p('sub.on', { date: date(next.date) })}`}
        </span>
      </Go>
    </li>
  );
}

/** How a subscription stands, in words. */
export function StatusText({ subscription }: { subscription: Subscription }) {
  const { date } = useLocale();
  const { status, cancelAtIntervalEnd, currentIntervalEnd, endedAt } = subscription;
  if (cancelAtIntervalEnd && endedAt === null && currentIntervalEnd !== null)
    return <>{p('status.ending', { date: date(currentIntervalEnd) })}</>;
  return <>{pCode('status.', status, status)}</>;
}

function OrderRows({ orders }: { orders: Order[] }) {
  const { money, date, t } = useLocale();
  const isFree = ({ value, type }: Order) => value === 0 && type !== 'subscription_initial';
  return (
    <ul class="portal-list">
      {orders.map((order) => (
        <li key={order.number}>
          <Go to={`/orders/${order.number}`} className="portal-row">
            <span class="portal-row-name">{toItemNames(order) || order.number}</span>
            <span class="amount">{isFree(order) ? t('headline.free') : money(order.value, order)}</span>
            <span class="hint">
              {order.number} · {date(order.createdAt)} · {pCode('payment.', order.status, order.status)}
            </span>
          </Go>
        </li>
      ))}
    </ul>
  );
}

export function OrdersScreen() {
  const { rows, error, retry, more } = useRows<Order>('/orders/list', 'orders');
  return (
    <Screen title={p('orders.title')} error={error} retry={retry}>
      {rows === null && !error && <Loading />}
      {rows && (rows.length > 0 ? <OrderRows orders={rows} /> : <p>{p('overview.empty')}</p>)}
      {more}
    </Screen>
  );
}

export interface WholeOrder {
  order: Order;
  items: Item[];
  payments: Payment[];
  refunds: Refund[];
  withdrawalOpen: boolean;
}

/** A part of an address as it reads: whatever it names. */
function toText(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function OrderScreen({ number }: { number: string }) {
  const { data, error, retry } = useData<WholeOrder>(`/orders/${number}`);
  const { date, t } = useLocale();
  const { legal } = usePortal();
  const title = p('order.title', { number: toText(number) });
  if (!data)
    return (
      <Screen title={title} error={error} retry={retry}>
        {!error && <Loading />}
      </Screen>
    );
  const { order, items, payments, refunds } = data;
  return (
    <Screen title={title}>
      <dl class="facts">
        <div>
          <dt>{p('order.date')}</dt>
          <dd>{date(order.createdAt)}</dd>
        </div>
      </dl>
      <section>
        <h2>{p('order.lines')}</h2>
        <Receipt items={items} money={order} total={order.value} />
      </section>
      <section>
        <h2>{p('order.payments')}</h2>
        <Payments payments={payments} />
      </section>
      <Refunds refunds={refunds} money={order} />
      {data.withdrawalOpen && legal.withdraw && (
        <p>
          <a href={`${legal.withdraw}?order=${order.number}`}>{t('footer.withdraw')}</a>
        </p>
      )}
    </Screen>
  );
}

/** The checkout's own lines to what was paid. */
function Receipt({ items, money: currency, total }: { items: Item[]; money: Money; total: number }) {
  const { t, money } = useLocale();
  const sum = (of: (item: Item) => number) => items.reduce((all, item) => all + of(item), 0);
  const inclusive = items.every((item) => item.inclusive);
  const sums = {
    ...currency,
    inclusive,
    // Where only some prices hold their tax it is taken out of these, as at the checkout.
    subtotal: sum((item) => item.subtotal - (item.inclusive && !inclusive ? item.tax : 0)),
    discount: sum((item) => item.discount),
    taxLines: addUp(items.flatMap((item) => item.taxRates)),
  };
  return (
    <dl class="totals">
      {items.map((item) => (
        <Row key={item.id} label={`${item.quantity > 1 ? `${item.quantity} × ` : ''}${toFullName(item)}`}>
          {money(item.subtotal, currency)}
        </Row>
      ))}
      <Parts sums={sums} />
      {!sums.inclusive && <TaxRows sums={sums} />}
      <Row label={t('total.total')} className="strong">
        {money(total, currency)}
      </Row>
      {sums.inclusive && <TaxRows sums={sums} />}
    </dl>
  );
}

/** One line per tax. */
function addUp(rates: readonly TaxLine[]): TaxLine[] {
  const lines = new Map<string, TaxLine>();
  for (const rate of rates) {
    const key = taxKey(rate);
    lines.set(key, { ...rate, amount: rate.amount + (lines.get(key)?.amount ?? 0) });
  }
  return [...lines.values()];
}

/** Payments with their documents; `payments` of a subscription are those of its order. */
export function Payments({ payments }: { payments: Payment[] }) {
  const { money, date } = useLocale();
  return (
    <ul class="portal-list">
      {payments.map((payment) => (
        <li key={payment.id} class="portal-row">
          <span class="portal-row-name">{date(payment.createdAt)}</span>
          <span class="amount">{money(payment.value, payment)}</span>
          <span class="hint">
            {payment.number} · {pCode('payment.', payment.status, payment.status)}
            <PaidWith payment={payment} />
          </span>
          {payment.invoiceUrl && payment.invoiceNumber && (
            <a class="portal-document" href={payment.invoiceUrl}>
              {p('order.invoice', { number: payment.invoiceNumber })}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

function PaidWith({ payment: { charges } }: { payment: Payment }) {
  const locale = useLocale();
  const method = charges.find(({ status }) => status === 'succeeded')?.paymentMethod;
  return method ? <> · {describeOwn(locale, method)}</> : null;
}

/** What was given back of them, with its documents; nothing where nothing was. */
export function Refunds({ refunds, money: currency }: { refunds: Refund[]; money: Money }) {
  const { money, date } = useLocale();
  if (refunds.length === 0) return null;
  return (
    <section>
      <h2>{p('order.refunds')}</h2>
      <ul class="portal-list">
        {refunds.map((refund) => (
          <li key={refund.id} class="portal-row">
            <span class="portal-row-name">{p('order.refunded', { date: date(refund.createdAt) })}</span>
            <span class="amount">{money(refund.amount, currency)}</span>
            {refund.creditNoteUrl && refund.creditNoteNumber && (
              <a class="portal-document" href={refund.creditNoteUrl}>
                {p('order.creditNote', { number: refund.creditNoteNumber })}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PortalDocument extends Money {
  number: string;
  kind: 'invoice' | 'credit_note';
  orderNumber: string;
  date: number;
  value: number;
  url: string;
}

export function DocumentsScreen() {
  const { money, date } = useLocale();
  const { rows, error, retry, more } = useRows<PortalDocument>('/documents/list', 'documents');
  return (
    <Screen title={p('documents.title')} error={error} retry={retry}>
      {rows === null && !error && <Loading />}
      {rows?.length === 0 && <p>{p('documents.empty')}</p>}
      <ul class="portal-list">
        {rows?.map((one) => (
          <li key={one.number} class="portal-row">
            <a class="portal-row-name" href={one.url}>
              {p(one.kind === 'invoice' ? 'order.invoice' : 'order.creditNote', { number: one.number })}
            </a>
            <span class="amount">{money(one.value, one)}</span>
            <span class="hint">{date(one.date)}</span>
          </li>
        ))}
      </ul>
      {more}
    </Screen>
  );
}
