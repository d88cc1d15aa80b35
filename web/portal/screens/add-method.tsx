/** A further method: in the processor's own fields, on its page, or in test mode by the number of a sandbox card. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from '../../ui/api.ts';
import { useLocale } from '../../ui/locale.tsx';
import { TextField } from '../../ui/parts/field.tsx';
import { MethodChoice, MethodNote } from '../../ui/parts/method-choice.tsx';
import { Notice } from '../../ui/parts/notice.tsx';
import { ActionPanel, ProcessingPanel } from '../../ui/parts/status-panels.tsx';
import type { ReadToken } from '../../ui/processor/fields.tsx';
import { LaterFields } from '../../ui/processor/later-fields.tsx';
import { useAuthentication } from '../../ui/processor/use-authentication.ts';
import { useConfirmation } from '../../ui/state/use-confirmation.ts';
import type { Method, ProcessorFields } from '../../ui/view.ts';
import { Loading, usePortal, usePress, useWords } from '../context.tsx';
import { p } from '../text.ts';

interface Adding {
  status: 'open' | 'processing' | 'requires_action';
  actionUrl: string | null;
  isActionAsked: boolean;
  failure: { reason: string; message: string } | null;
  methods: Method[];
  processorFields: ProcessorFields | null;
  /** Of what runs. */
  subscriptionIds: string[];
}

interface Added {
  paymentMethod: object | null;
  action: { url: string } | null;
  failure: { reason: string; message: string } | null;
}

type AddingData = { adding: Adding };

const look = (apiUrl: string) => request<AddingData>(`${apiUrl}/adding`, { method: 'GET' });
const confirm = (apiUrl: string) =>
  request<AddingData>(`${apiUrl}/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });

export function AddMethod({ onAdded }: { onAdded(): void }) {
  const { tCode } = useLocale();
  const { portal } = usePortal();
  const toWords = useWords();
  const apiUrl = `${portal.base}/payment-methods`;
  const [adding, setAdding] = useState<Adding | null>(null);
  const [error, setError] = useState<string | null>(null);
  /** What a bank was asked about is decided now. */
  const take = (next: Adding) => {
    const wasWaiting = adding !== null && adding.status !== 'open';
    setAdding(next);
    if (next.status !== 'open' || !wasWaiting) return;
    if (next.failure) setError(tCode('error.', next.failure.reason, next.failure.message));
    else onAdded();
  };
  useEffect(() => {
    void look(apiUrl).then((answer) => {
      if (answer.kind === 'ok') setAdding(answer.data.adding);
      else setError(toWords(answer));
    });
  }, []);
  const isOffline = useConfirmation<AddingData, Adding>({
    view: { status: adding?.status ?? 'loading', apiUrl },
    confirm,
    toView: (data) => data.adding,
    onView: take,
  });
  const onGo = useAuthentication({
    // What a visit finds waiting is asked for when its buyer asks.
    ...{ apiUrl, status: adding?.status ?? 'loading' },
    isAsked: adding?.status === 'requires_action' && adding.isActionAsked,
    onDone: async () => {
      const answer = await confirm(apiUrl);
      if (answer.kind === 'ok') take(answer.data.adding);
      // An answer that is lost is asked for again until it comes.
      else if (adding) setAdding({ ...adding, status: 'processing' });
    },
  });
  const settle = async (added: Added) => {
    setError(added.failure && tCode('error.', added.failure.reason, added.failure.message));
    if (added.paymentMethod) return onAdded();
    if (added.failure) return;
    const answer = await look(apiUrl);
    if (answer.kind !== 'ok') return setError(toWords(answer));
    const next = answer.data.adding;
    setAdding(next);
    if (next.status === 'requires_action' && !next.isActionAsked && next.actionUrl)
      window.location.assign(next.actionUrl);
  };
  if (!adding) return error === null ? <Loading /> : <Notice text={error} />;
  return (
    <section class="portal-add" aria-label={p('methods.add')}>
      <h2>{p('methods.add')}</h2>
      {error && <Notice text={error} />}
      {adding.status === 'processing' && <ProcessingPanel isOffline={isOffline} />}
      {adding.status === 'requires_action' && <ActionPanel url={adding.actionUrl ?? ''} onGo={onGo} />}
      {adding.status !== 'processing' && <AddForm adding={adding} onSent={settle} onProblem={setError} />}
    </section>
  );
}

interface AddFormProps {
  adding: Adding;
  onSent(added: Added): Promise<void>;
  onProblem(words: string | null): void;
}

function AddForm({ adding: { methods, processorFields, subscriptionIds }, onSent, onProblem }: AddFormProps) {
  const { t } = useLocale();
  const { asking } = usePortal();
  const [wanted, setWanted] = useState<Method | null>(null);
  const method = methods.find((one) => one === wanted) ?? methods[0] ?? null;
  const [card, setCard] = useState('');
  const [pays, setPays] = useState(true);
  const [isReading, setReading] = useState(false);
  const { isBusy, error, fault, press } = usePress();
  // The card that was refused; typed anew it is another.
  const [refused, setRefused] = useState<string | null>(null);
  const readToken = useRef<ReadToken | null>(null);
  useEffect(() => {
    if (error) onProblem(error);
    setRefused(error && fault ? card : null);
  }, [error]);
  /** Null where the processor's fields have told what they lack. */
  const read = async (): Promise<object | null> => {
    if (method === 'card') return { card };
    if (method !== 'token') return { payment: { option: method } };
    const told = (await readToken.current?.().catch(() => null)) ?? { problem: null };
    if ('token' in told) return { payment: { option: 'token', token: told.token } };
    onProblem(told.problem ?? t('fields.failed'));
    return null;
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isReading || isBusy) return;
    onProblem(null);
    setReading(true);
    const given = await read();
    setReading(false);
    if (!given) return;
    const body = { ...given, ...(pays && subscriptionIds.length > 0 ? { subscriptionIds } : {}) };
    const added = await press(() => asking.send<Added>('POST', '/payment-methods/create', body));
    if (!added) return;
    setCard('');
    await onSent(added);
  };
  if (!method) return <MethodNote method={null} />;
  return (
    <form class="portal-form" onSubmit={submit} noValidate>
      <MethodChoice {...{ methods, chosen: method, onMethod: setWanted }} />
      <MethodNote method={method} />
      {method === 'card' && (
        <CardNumber value={card} isWrong={card !== '' && card === refused} onValue={setCard} />
      )}
      {method === 'token' && processorFields && (
        <LaterFields
          fields={processorFields}
          onFields={(reading) => {
            readToken.current = reading;
          }}
        />
      )}
      {subscriptionIds.length > 0 && (
        <label class="check">
          <input type="checkbox" checked={pays} onChange={(event) => setPays(event.currentTarget.checked)} />
          <span>{p('methods.useAll')}</span>
        </label>
      )}
      <button
        type="submit"
        class="primary"
        disabled={isBusy || isReading || (method === 'card' && card === '')}
        aria-busy={isBusy || isReading}
      >
        {p('methods.add')}
      </button>
    </form>
  );
}

interface CardNumberProps {
  value: string;
  isWrong: boolean;
  onValue(value: string): void;
}

/** Of a sandbox card; what is wrong with it is said above the form. */
function CardNumber({ value, isWrong, onValue }: CardNumberProps) {
  return (
    <TextField
      label={p('methods.number')}
      name="card"
      value={value}
      onValue={onValue}
      hint={p('methods.testOnly')}
      input={{ inputMode: 'numeric', autocomplete: 'off', 'aria-invalid': isWrong ? 'true' : undefined }}
    />
  );
}
