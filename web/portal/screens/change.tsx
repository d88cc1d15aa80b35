/** Another plan: what it costs today and from then on, as the server will charge it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocale } from '../../ui/locale.tsx';
import { TextField } from '../../ui/parts/field.tsx';
import { Notice } from '../../ui/parts/notice.tsx';
import { Go, Loading, Screen, useData, usePortal, usePress, useWords } from '../context.tsx';
import {
  type Line,
  type Money,
  OFFER_PARAMETER,
  type Payment,
  type Subscription,
  type Upcoming,
} from '../shapes.ts';
import { p } from '../text.ts';
import { Lines } from './lines.tsx';
import { StatusText } from './orders.tsx';
import { Told } from './told.tsx';

interface Plan extends Money {
  offerId: string;
  name: string;
  price: number;
  recurringInterval: 'day' | 'week' | 'month' | 'year';
  recurringIntervalCount: number;
  features: string[];
  current: boolean;
}

interface Preview extends Money {
  lines: Line[];
  amountDue: number;
  amountReturned: number;
  nextPayment: Upcoming | null;
  prorationDate: number;
  fingerprint: string;
}

interface Offered {
  plans: Plan[];
  quantity: number | null;
  quantityChange: boolean;
}

interface ChangeProps {
  id: string;
  onDone(): void;
}

export function ChangeScreen({ id, onDone }: ChangeProps) {
  const path = `/subscriptions/${id}`;
  const own = useData<{ subscription: Subscription }>(path);
  const offered = useData<Offered>(`${path}/plans`);
  const { error, retry } = own.error === null ? offered : own;
  const title = p('change.title');
  if (!own.data || !offered.data)
    return (
      <Screen title={title} error={error} retry={retry}>
        {!error && <Loading />}
      </Screen>
    );
  const { subscription } = own.data;
  // An old link leads here, too: what has ended, is to end or is owed for keeps its plan.
  if (!subscription.actions.includes('change')) return <Unchanging subscription={subscription} />;
  return <ChangeForm id={id} data={offered.data} onDone={onDone} />;
}

/** Plans that can be chosen while it stands as it does now. */
const CHANGING: ReadonlySet<string> = new Set(['active', 'trialing']);

function Unchanging({ subscription }: { subscription: Subscription }) {
  const { id, status, cancelAtIntervalEnd } = subscription;
  const isOther = CHANGING.has(status) && !cancelAtIntervalEnd;
  const text = isOther ? p('error.subscription_state') : <StatusText subscription={subscription} />;
  return <Told id={id} title={p('change.title')} text={text} />;
}

function ChangeForm({ id, data, onDone }: ChangeProps & { data: Offered }) {
  const path = `/subscriptions/${id}`;
  const { asking } = usePortal();
  const [offerId, setOfferId] = useState<string | null>(null);
  const [quantity, setQuantity] = useState<number | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const { isBusy, error: refused, setError, press } = usePress();
  const wanted = data.plans.find((plan) => plan.offerId === findWanted())?.offerId;
  const chosen = offerId ?? wanted ?? data.plans.find(({ current }) => current)?.offerId ?? null;
  const count = quantity ?? data.quantity ?? 1;
  const isOther =
    data.plans.some((plan) => plan.offerId === chosen && !plan.current) || count !== data.quantity;
  const asked = { offerId: chosen ?? '', ...(data.quantityChange ? { quantity: count } : {}) };
  const looks = useRef(0);
  const toWords = useWords();
  const look = async () => {
    looks.current += 1;
    const mine = looks.current;
    setPreview(null);
    setError(null);
    if (!isOther) return;
    const shown = await asking.send<{ preview: Preview }>('POST', `${path}/preview-change`, asked);
    // Chosen anew meanwhile: these are the figures of another plan.
    if (mine !== looks.current) return;
    if (shown.kind === 'ok') setPreview(shown.data.preview);
    else setError(toWords(shown));
  };
  useEffect(() => void look(), [chosen, count]);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!preview) return;
    const { prorationDate, fingerprint } = preview;
    const body = { ...asked, prorationDate, fingerprint };
    const changed = await press(async () => {
      const answer = await asking.send<{ payment: Payment | null; action: { url: string } | null }>(
        'PATCH',
        `${path}/change`,
        body,
      );
      // New figures stand where the old ones stood before the words about them.
      if (answer.kind === 'refused' && answer.code === 'price_changed') {
        await look();
      }
      return answer;
    });
    if (!changed) return;
    if (changed.action) window.location.assign(changed.action.url);
    else if (changed.payment && changed.payment.status !== 'PAID') setError(p('change.declined'));
    else onDone();
  };
  return (
    <Screen title={p('change.title')}>
      <form class="portal-form" onSubmit={submit}>
        <Plans plans={data.plans} chosen={chosen} onChoose={setOfferId} />
        {data.quantityChange && <Quantity count={count} onCount={setQuantity} />}
        {preview && <Figures preview={preview} />}
        {refused && <Notice text={refused} />}
        <Press preview={preview} isBusy={isBusy} />
        <Go to={path} className="secondary">
          {p('back')}
        </Go>
      </form>
    </Screen>
  );
}

/** The plan that the shop has chosen beforehand, if it is offered. */
const findWanted = () => new URLSearchParams(window.location.search).get(OFFER_PARAMETER);

function Press({ preview, isBusy }: { preview: Preview | null; isBusy: boolean }) {
  const { money } = useLocale();
  const due = preview?.amountDue ?? 0;
  return (
    <button type="submit" class="primary" disabled={isBusy || preview === null}>
      {preview && due > 0 ? p('change.submitPay', { amount: money(due, preview) }) : p('change.submit')}
    </button>
  );
}

function Plans({
  plans,
  chosen,
  onChoose,
}: {
  plans: Plan[];
  chosen: string | null;
  onChoose(id: string): void;
}) {
  const { money, every } = useLocale();
  return (
    <div class="portal-choice portal-plans" role="radiogroup" aria-label={p('change.plan')}>
      {plans.map((plan) => (
        <label key={plan.offerId}>
          <input
            type="radio"
            name="plan"
            checked={plan.offerId === chosen}
            onChange={() => onChoose(plan.offerId)}
          />
          <span class="portal-plan">
            <strong>{plan.name}</strong>{' '}
            <span class="amount">
              {money(plan.price, plan)}{' '}
              {every({ interval: plan.recurringInterval, count: plan.recurringIntervalCount })}
            </span>
            {plan.features.length > 0 && <span class="hint"> {plan.features.join(' · ')}</span>}
          </span>
        </label>
      ))}
    </div>
  );
}

/** A number that is not whole yet is left in the field and not passed on. */
function Quantity({ count, onCount }: { count: number; onCount(count: number): void }) {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <TextField
      label={p('change.quantity')}
      name="quantity"
      value={draft ?? String(count)}
      onValue={(text) => {
        setDraft(text);
        const typed = Number(text);
        if (Number.isSafeInteger(typed) && typed >= 1) onCount(typed);
      }}
      input={{ type: 'number', min: 1, onBlur: () => setDraft(null) }}
    />
  );
}

function Figures({ preview }: { preview: Preview }) {
  const { money, date } = useLocale();
  const { nextPayment: next, lines } = preview;
  const tax = lines.reduce((sum, line) => sum + line.tax, 0);
  return (
    <section aria-label={p('change.pay')} aria-live="polite">
      <h2>{p('change.pay')}</h2>
      <Lines lines={lines} money={preview} />
      <dl class="facts">
        {tax !== 0 && (
          <div>
            <dt>{p('sub.tax')}</dt>
            <dd>{money(tax, preview)}</dd>
          </div>
        )}
        <div class="portal-total">
          <dt>{p('change.now')}</dt>
          <dd>{money(preview.amountDue, preview)}</dd>
        </div>
        {preview.amountReturned > 0 && (
          <div>
            <dt>{p('change.back')}</dt>
            <dd>{money(preview.amountReturned, preview)}</dd>
          </div>
        )}
        {next && (
          <div>
            <dt>{p('change.then', { date: date(next.date) })}</dt>
            <dd>{money(next.value, next)}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
