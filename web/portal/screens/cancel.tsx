/** How a subscription ends: two presses in all, and what is offered to whoever stays below them. */
import { useState } from 'preact/hooks';
import { useLocale } from '../../ui/locale.tsx';
import { TextField } from '../../ui/parts/field.tsx';
import { Go, Loading, Screen, useData, usePortal, usePress } from '../context.tsx';
import type { Money, OwnSession, StayTerms, Subscription } from '../shapes.ts';
import { p, pCode, pCount } from '../text.ts';
import { StatusText } from './orders.tsx';
import { Told } from './told.tsx';

/** Of what is not paid for there is no interval to end with. */
const UNPAID: ReadonlySet<string> = new Set(['unpaid', 'incomplete']);

type Timing = 'endInterval' | 'immediately';

export function CancelScreen({ id, onDone }: { id: string; onDone(): void }) {
  const { date } = useLocale();
  const { asking } = usePortal();
  const { data, ...asked } = useData<{ subscription: Subscription }>(`/subscriptions/${id}`);
  const session = useData<{ session: OwnSession }>('/session');
  const { error, retry } = asked.error === null ? session : asked;
  const [reason, setReason] = useState<string | null>(null);
  const [comment, setComment] = useState('');
  const [timing, setTiming] = useState<Timing>('endInterval');
  const [isStaying, setStaying] = useState(false);
  const { isBusy, error: refused, press } = usePress();
  const title = p('cancel.title');
  if (!data || !session.data)
    return (
      <Screen title={title} error={error} retry={retry}>
        {!error && <Loading />}
      </Screen>
    );
  const { currentIntervalEnd: end, stayOffer, stayTerms, status, actions } = data.subscription;
  // An old link leads here, too: what has ended, or is to end already, is not cancelled.
  if (!actions.includes('cancel')) {
    return <Told id={id} title={title} text={<StatusText subscription={data.subscription} />} />;
  }
  const { cancelTiming, cancelReasons } = session.data.session.features;
  const isChoice = cancelTiming === 'choice' && end !== null && !UNPAID.has(status);
  const endsAtOnce = cancelTiming === 'immediately' || end === null || UNPAID.has(status);
  const isNow = isChoice ? timing === 'immediately' : endsAtOnce;
  const send = (verb: 'cancel' | 'keep', body: object) =>
    press(() => asking.send('PATCH', `/subscriptions/${id}/${verb}`, body));
  const submit = async (event: Event) => {
    event.preventDefault();
    const done = await send('cancel', {
      ...(reason ? { reason } : {}),
      ...(comment ? { comment } : {}),
      ...(isChoice ? { timing } : {}),
    });
    if (done) onDone();
  };
  if (isStaying) return <Told id={id} title={title} text={p('sub.offerTaken')} />;
  return (
    <Screen title={title} error={refused}>
      <form class="portal-form" onSubmit={submit}>
        <p>{isNow ? p('cancel.now') : p(toUntil(data.subscription), { date: date(end ?? 0) })}</p>
        {isChoice && (
          <div class="portal-choice" role="radiogroup" aria-labelledby="cancel-when">
            <p id="cancel-when">{p('cancel.when')}</p>
            {(['endInterval', 'immediately'] as const).map((one) => (
              <label key={one}>
                <input type="radio" name="timing" checked={timing === one} onChange={() => setTiming(one)} />
                {one === 'endInterval' ? p('cancel.atEnd', { date: date(end) }) : p('cancel.atOnce')}
              </label>
            ))}
          </div>
        )}
        {cancelReasons.length > 0 && (
          <div class="portal-choice" role="radiogroup" aria-labelledby="cancel-reason">
            <p id="cancel-reason">{p('cancel.reason')}</p>
            {cancelReasons.map((one) => (
              <label key={one}>
                <input type="radio" name="reason" checked={reason === one} onChange={() => setReason(one)} />
                {pCode('reason.', one, one)}
              </label>
            ))}
          </div>
        )}
        <TextField label={p('cancel.comment')} name="comment" value={comment} onValue={setComment} />
        <button type="submit" class="primary" disabled={isBusy}>
          {p('cancel.submit')}
        </button>
        <Go to={`/subscriptions/${id}`} className="secondary">
          {p('back')}
        </Go>
        {stayOffer && (
          <div class="portal-stay">
            <p>{p('cancel.stayText', { offer: stayOffer })}</p>
            {stayTerms && (
              <p>
                <StayTermsText terms={stayTerms} currency={data.subscription} />
              </p>
            )}
            <button
              type="button"
              class="secondary"
              disabled={isBusy}
              onClick={async () => setStaying((await send('keep', { acceptOffer: true })) !== null)}
            >
              {p('cancel.stay', { offer: stayOffer })}
            </button>
          </div>
        )}
      </form>
    </Screen>
  );
}

/** A name alone, such as a campaign's, does not say what it is worth. */
function StayTermsText({ terms, currency }: { terms: StayTerms; currency: Money }) {
  const { money, percentage } = useLocale();
  const { amount, amountType, duration, durationIntervals } = terms;
  const off = amountType === 'percentage' ? percentage(amount) : money(amount, currency);
  if (duration === 'forever') return p('cancel.stayForever', { off });
  return pCount('cancel.stayTimes', duration === 'once' ? 1 : (durationIntervals ?? 1), { off });
}

/** What is owed is tried on until the end, and keeps access no longer than its grace; a pause, than the period it began in. */
function toUntil({ owed, status }: Subscription) {
  if (status === 'paused') return 'cancel.untilPaused';
  return owed === null ? 'cancel.until' : 'cancel.untilOwed';
}
