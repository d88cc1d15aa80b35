/** How a subscription ends: two presses in all, and what is offered to whoever stays below them. */
import { useState } from 'preact/hooks';
import { useLocale } from '../../ui/locale.tsx';
import { TextField } from '../../ui/parts/field.tsx';
import { Go, Loading, Screen, useData, usePortal, usePress } from '../context.tsx';
import type { OwnSession, Subscription } from '../shapes.ts';
import { p, pCode } from '../text.ts';

/** Of what is not paid for there is no interval to end with. */
const UNPAID: ReadonlySet<string> = new Set(['unpaid', 'incomplete']);
const ENDED: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

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
  const { currentIntervalEnd: end, owed, stayOffer, status } = data.subscription;
  // An old link leads here, too: of what has ended no access stays until any day.
  if (ENDED.has(status)) return <Told id={id} text={pCode('status.', status, status)} />;
  const { cancelTiming, cancelReasons } = session.data.session.features;
  const isChoice = cancelTiming === 'choice' && end !== null && !UNPAID.has(status);
  const endsAtOnce = cancelTiming === 'immediately' || end === null || UNPAID.has(status);
  const isNow = isChoice ? timing === 'immediately' : endsAtOnce;
  // What is owed is tried on until the end, and keeps access no longer than its grace.
  const untilKey = owed === null ? 'cancel.until' : 'cancel.untilOwed';
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
  if (isStaying) return <Told id={id} text={p('sub.offerTaken')} />;
  return (
    <Screen title={title} error={refused}>
      <form class="portal-form" onSubmit={submit}>
        <p>{isNow ? p('cancel.now') : p(untilKey, { date: date(end ?? 0) })}</p>
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

/** How it stands, with nothing left to be done here. */
function Told({ id, text }: { id: string; text: string }) {
  return (
    <Screen title={p('cancel.title')}>
      <p role="status">{text}</p>
      <Go to={`/subscriptions/${id}`} className="secondary">
        {p('back')}
      </Go>
    </Screen>
  );
}
