/** A subscription: how it stands, what comes next and how it ends. */

import { useState } from 'preact/hooks';
import { useLocale } from '../../ui/locale.tsx';
import { Go, Loading, Screen, useData, usePortal, usePress } from '../context.tsx';
import { describeOwn } from '../method-names.ts';
import { toFullName } from '../names.ts';
import type { Subscription, Upcoming } from '../shapes.ts';
import { p } from '../text.ts';
import { Lines } from './lines.tsx';
import { Payments, Refunds, StatusText, type WholeOrder } from './orders.tsx';

interface One {
  subscription: Subscription;
}

export function SubscriptionScreen({ id }: { id: string }) {
  const path = `/subscriptions/${id}`;
  const { asking } = usePortal();
  const { data, error, retry, put } = useData<One>(path);
  const { isBusy, error: refused, press } = usePress();
  const [said, setSaid] = useState<string | null>(null);
  if (!data)
    return (
      <Screen title={p('overview.subscriptions')} error={error} retry={retry}>
        {!error && <Loading />}
      </Screen>
    );
  const { subscription } = data;
  const ask = async (verb: string, words: string | null) => {
    const next = await press(() => asking.send<One>('PATCH', `${path}/${verb}`));
    if (next) put(next);
    setSaid(next ? words : null);
  };
  return (
    <Screen title={toProductName(subscription) ?? id} error={refused}>
      {said && <p role="status">{said}</p>}
      <Standing subscription={subscription} />
      <NextPayment key={JSON.stringify(subscription)} subscription={subscription} />
      <Actions subscription={subscription} isBusy={isBusy} ask={ask} />
      <PaymentsOf id={id} />
    </Screen>
  );
}

const toProductName = ({ items: [item] }: Subscription) => item?.product?.name ?? item?.name;

/** What is had of the product; null where that says no more than its name. */
function toPlan({ items }: Subscription): string | null {
  const [item] = items;
  if (!item) return null;
  const { quantity, product } = item;
  const name = toFullName({ ...item, product: null });
  if (quantity > 1) return `${name} × ${quantity}`;
  return name === (product?.name ?? name) ? null : name;
}

function Standing({ subscription }: { subscription: Subscription }) {
  const { money, every, date } = useLocale();
  const { recurringInterval: interval, recurringIntervalCount: count, resumeAt } = subscription;
  const plan = toPlan(subscription);
  return (
    <dl class="facts">
      {plan !== null && (
        <div>
          <dt>{p('change.plan')}</dt>
          <dd>{plan}</dd>
        </div>
      )}
      <div>
        <dt>{p('sub.status')}</dt>
        <dd>
          {resumeAt === null ? (
            <StatusText subscription={subscription} />
          ) : (
            p('sub.pausedUntil', { date: date(resumeAt) })
          )}
        </dd>
      </div>
      <div>
        <dt>{p('sub.price')}</dt>
        <dd>
          {money(subscription.value, subscription)} {every({ interval, count })}
        </dd>
      </div>
    </dl>
  );
}

function NextPayment({ subscription }: { subscription: Subscription }) {
  const locale = useLocale();
  const { money, date } = locale;
  const { paymentMethod } = subscription;
  const { data } = useData<{ upcomingPayment: Upcoming | null }>(
    `/subscriptions/${subscription.id}/upcoming-payment`,
  );
  if (!data) return null;
  const { upcomingPayment: next } = data;
  return (
    <section aria-label={p('sub.next')}>
      <h2>{p('sub.next')}</h2>
      {next ? (
        <>
          <p>
            <strong class="amount">{money(next.value, next)}</strong> {p('sub.on', { date: date(next.date) })}
          </p>
          <Lines lines={next.lines} money={next} />
          {next.tax > 0 && (
            <p class="hint">
              {p('sub.tax')} {money(next.tax, next)}
            </p>
          )}
        </>
      ) : (
        <p>{p(subscription.status === 'paused' ? 'sub.nextPaused' : 'sub.nextNone')}</p>
      )}
      {paymentMethod && <p class="hint">{p('sub.card', { card: describeOwn(locale, paymentMethod) })}</p>}
    </section>
  );
}

interface ActionsProps {
  subscription: Subscription;
  isBusy: boolean;
  ask(verb: string, words: string | null): Promise<void>;
}

function Actions({ subscription, isBusy, ask }: ActionsProps) {
  const { t, money } = useLocale();
  const { id, actions, owed, cardUrl, againUrl } = subscription;
  const can = (action: string) => actions.includes(action);
  return (
    <div class="portal-actions">
      {can('pay') && owed && (
        <a class="primary" href={owed.payUrl}>
          {p('sub.pay', { amount: money(owed.amount, subscription) })}
        </a>
      )}
      {can('keep') && (
        <button
          type="button"
          class="primary"
          disabled={isBusy}
          onClick={() => void ask('keep', p('sub.kept'))}
        >
          {p('sub.keep')}
        </button>
      )}
      {can('resume') && (
        <button type="button" class="primary" disabled={isBusy} onClick={() => void ask('resume', null)}>
          {p('sub.resume')}
        </button>
      )}
      {can('subscribe_again') && againUrl && (
        <a class="primary" href={againUrl}>
          {p('sub.again')}
        </a>
      )}
      {cardUrl && (
        <a class="secondary" href={cardUrl}>
          {t('method.label')}
        </a>
      )}
      {can('change') && (
        <Go to={`/subscriptions/${id}/change`} className="secondary">
          {p('sub.change')}
        </Go>
      )}
      {can('pause') && (
        <button type="button" class="secondary" disabled={isBusy} onClick={() => void ask('pause', null)}>
          {p('sub.pause')}
        </button>
      )}
      {can('cancel') && (
        <Go to={`/subscriptions/${id}/cancel`} className="secondary">
          {p('sub.cancel')}
        </Go>
      )}
    </div>
  );
}

function PaymentsOf({ id }: { id: string }) {
  const { data } = useData<Pick<WholeOrder, 'order' | 'payments' | 'refunds'>>(`/orders/${id}`);
  if (!data) return null;
  return (
    <>
      <section>
        <h2>{p('sub.payments')}</h2>
        <Payments payments={data.payments} />
      </section>
      <Refunds refunds={data.refunds} money={data.order} />
    </>
  );
}
