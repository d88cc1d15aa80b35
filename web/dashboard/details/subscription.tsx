import { useState } from 'react';
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { PlaceLink } from '../app/place-link.tsx';
import { useStore } from '../app/store.tsx';
import { canAct, type SubscriptionAct } from '../lists/subscription-acts.ts';
import { Amount, Stamp, Time } from '../ui/cells.tsx';
import { Days } from '../ui/days.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { useLocale } from '../ui/locale.tsx';
import { CopyableId, Detail, Fact, Facts, Part, Read } from './detail.tsx';
import { DialogButton } from './dialog-button.tsx';
import { Lines } from './lines.tsx';
import { Customer } from './order.tsx';
import { PaymentRows } from './payment-rows.tsx';
import { useTools } from './tools.ts';

const LIVING = ['active', 'trialing', 'past_due', 'paused', 'unpaid'];

export function Subscription({ id }: { id: string }) {
  const path = `/v0/subscriptions/${encodeURIComponent(id)}`;
  return <Read path={path} show={(data) => <Shown path={path} data={data} />} />;
}

function Shown({ path, data }: { path: string; data: Row }) {
  const { t } = useLocale();
  const tools = useTools();
  const { may } = useStore();
  const subscription = rowOf(data, 'subscription') ?? data;
  const id = textOf(subscription, 'id');
  const status = textOf(subscription, 'status');
  const isLiving = LIVING.includes(status);
  const payments = useRead<{ payments: Row[] }>('/v0/payments/list', {
    query: `subscriptionId=${id}&take=50`,
    enabled: may('payments'),
  });
  return (
    <Detail
      title={t('subscription.title', { id })}
      path={path}
      data={data}
      timeline={{ object: 'subscriptions', id }}
      status={
        <>
          <Stamp status={status} tools={tools} />
          {subscription.cancelAtIntervalEnd === true ? (
            <span className="stamp" data-tone="warn">
              {t('subscription.ending')}
            </span>
          ) : null}
        </>
      }
      stub={<SubscriptionStub subscription={subscription} user={rowOf(data, 'user')} />}
      actions={<Actions subscription={subscription} />}
      overview={
        <>
          {isLiving ? <NextPayment id={id} /> : null}
          {may('payments') ? (
            <Part id="payments" title={t('list.payments')}>
              <Loaded read={payments}>{(read) => <PaymentRows payments={read.payments} />}</Loaded>
            </Part>
          ) : null}
        </>
      }
    />
  );
}

function Actions({ subscription }: { subscription: Row }) {
  const id = textOf(subscription, 'id');
  const takes = (act: SubscriptionAct) => canAct(act, subscription);
  return (
    <>
      {takes('changePlan') ? (
        <DialogButton
          dialog="change-plan"
          row={subscription}
          label="action.changePlan"
          area="subscriptions"
        />
      ) : null}
      {takes('pause') ? (
        <DialogButton
          dialog="pause-subscription"
          row={subscription}
          label="action.pause"
          area="subscriptions"
        />
      ) : null}
      {takes('resume') ? (
        <DialogButton
          dialog="resume-subscription"
          row={subscription}
          label="action.resume"
          area="subscriptions"
        />
      ) : null}
      {takes('endTrial') ? (
        <DialogButton dialog="end-trial" row={subscription} label="action.endTrial" area="subscriptions" />
      ) : null}
      {takes('charge') ? (
        <DialogButton dialog="charge" row={subscription} label="action.charge" area="charges" />
      ) : null}
      {takes('setEnd') && subscription.cancelAtIntervalEnd === true ? <Keep id={id} /> : null}
      {takes('cancel') ? (
        <DialogButton
          dialog="cancel-subscription"
          row={subscription}
          label="action.cancelSubscription"
          area="subscriptions"
          isDanger
        />
      ) : null}
    </>
  );
}

/** Takes back the end that was set. */
function Keep({ id }: { id: string }) {
  const { t } = useLocale();
  const { may } = useStore();
  const write = useWrite();
  if (!may('subscriptions', 'write')) return null;
  const press = () =>
    write.mutate({
      method: 'PATCH',
      path: `/v0/subscriptions/${id}/cancel`,
      body: { cancelAtIntervalEnd: false },
    });
  return (
    <>
      <button type="button" className="plain-button" aria-busy={write.isPending} onClick={press}>
        {t('action.keepSubscription')}
      </button>
      {write.error ? <span className="field-error">{write.error.message}</span> : null}
    </>
  );
}

function SubscriptionStub({ subscription, user }: { subscription: Row; user: Row | null }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  const order = textOf(subscription, 'orderNumber');
  return (
    <>
      <p className="stub-amount">
        <Amount
          minor={numberOf(subscription, 'value')}
          currency={textOf(subscription, 'currency')}
          tools={tools}
        />
        <small> {tName('per.', textOf(subscription, 'recurringInterval'))}</small>
      </p>
      <Facts>
        <Fact name={t('column.plan')}>
          {rowsOf(subscription, 'items')
            .map((item) => textOf(item, 'name'))
            .join(', ')}
        </Fact>
        <Fact name={t('column.customer')}>
          <Customer userId={textOf(subscription, 'userId')} email={textOf(user, 'email')} />
        </Fact>
        <Fact name={t('subscription.period')}>
          <Days
            from={numberOf(subscription, 'currentIntervalStart')}
            until={numberOf(subscription, 'currentIntervalEnd')}
            tools={tools}
          />
        </Fact>
        <Fact name={t('subscription.trialEnd')}>
          {numberOf(subscription, 'trialEnd') === null ? null : (
            <Time ms={numberOf(subscription, 'trialEnd')} tools={tools} />
          )}
        </Fact>
        <Fact name={t('subscription.resumes')}>
          {numberOf(subscription, 'resumeAt') === null ? null : (
            <Time ms={numberOf(subscription, 'resumeAt')} tools={tools} />
          )}
        </Fact>
        <Fact name={t('column.started')}>
          <Time ms={numberOf(subscription, 'createdAt')} tools={tools} />
        </Fact>
        <Fact name={t('column.order')}>
          {order ? <PlaceLink href={`/orders/${order}`}>{order}</PlaceLink> : null}
        </Fact>
        <Fact name={t('column.id')}>
          <CopyableId id={textOf(subscription, 'id')} />
        </Fact>
      </Facts>
    </>
  );
}

function NextPayment({ id }: { id: string }) {
  const { t } = useLocale();
  const tools = useTools();
  const { isTest, may } = useStore();
  const read = useRead<{ upcomingPayment: Row }>(`/v0/subscriptions/${id}/upcoming-payment`);
  const upcoming = read.data?.upcomingPayment;
  if (read.isError) {
    return (
      <Part id="next" title={t('subscription.next')}>
        <p className="soft">{read.error.message}</p>
      </Part>
    );
  }
  if (!upcoming) return null;
  return (
    <Part
      id="next"
      title={t('subscription.next')}
      aside={<Time ms={numberOf(upcoming, 'date')} tools={tools} />}
    >
      <Lines
        lines={rowsOf(upcoming, 'lines')}
        currency={textOf(upcoming, 'currency')}
        decimals={numberOf(upcoming, 'currencyDecimals')}
        total={numberOf(upcoming, 'value')}
      />
      {isTest && may('test-clock', 'write') ? <Advance to={Number(upcoming.date)} /> : null}
    </Part>
  );
}

/** One second past it, so that what is due then is done. */
const PAST_MS = 1_000;

function Advance({ to }: { to: number }) {
  const { t, time } = useLocale();
  const { zone } = useStore();
  const write = useWrite();
  const [reached, setReached] = useState<number | null>(null);
  const press = () =>
    write.mutate(
      { method: 'POST', path: '/v0/test-clock/advance', body: { to: to + PAST_MS }, isSlow: true },
      { onSuccess: () => setReached(to) },
    );
  return (
    <div className="button-row">
      <button type="button" className="plain-button" aria-busy={write.isPending} onClick={press}>
        {t('subscription.advance')}
      </button>
      {reached !== null ? (
        <span role="status">{t('subscription.advanced', { date: time(reached, zone) })}</span>
      ) : null}
      {write.error ? <span className="field-error">{write.error.message}</span> : null}
    </div>
  );
}
