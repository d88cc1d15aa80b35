import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, payOwed } from '../ui/api.ts';
import { type CardValues, EMPTY_CARD } from '../ui/card.ts';
import type { PayView } from '../ui/debt.ts';
import { type Choice, type FieldErrors, findMissingCard, type Paying, toPayingBody } from '../ui/form.ts';
import { describeField, useLocale } from '../ui/locale.tsx';
import { CardFields } from '../ui/parts/card-fields.tsx';
import { LockIcon } from '../ui/parts/icons.tsx';
import { MethodChoice, MethodNote } from '../ui/parts/method-choice.tsx';
import { Notice } from '../ui/parts/notice.tsx';
import { TestCards } from '../ui/parts/test-cards.tsx';
import type { ReadToken } from '../ui/processor/fields.tsx';
import { LaterFields } from '../ui/processor/later-fields.tsx';
import type { TextKey } from '../ui/texts.ts';
import type { Method, ProcessorFields, Quote } from '../ui/view.ts';
import { payText } from './text.ts';

/** What is paid, and where. */
export interface Payable {
  testMode: boolean;
  amount: number;
  currency: string;
  currencyDecimals: number;
  failure: { reason: string; message: string } | null;
  methods: readonly Method[];
  /** Of the method `token`, where that is offered. */
  processorFields: ProcessorFields | null;
  /** Names the price that is shown; null where it cannot change. */
  fingerprint: string | null;
}

type Body = Parameters<typeof payOwed>[1];

/** What has come of a press: why nothing did, and how it is shown. */
interface Sent {
  failure: { reason: string; message: string } | null;
  show(): void;
}

export type Sending = (body: Body) => Promise<Answer<Sent>>;

/** Pays what the page of a payment is for. */
export function toSending(apiUrl: string, onView: (view: PayView) => void): Sending {
  return async (body) => {
    const answer = await payOwed(apiUrl, body);
    if (answer.kind !== 'ok') return answer;
    const { debt } = answer.data;
    const failure = (debt.kind === 'owed' ? debt.failure : debt.purchase?.failure) ?? null;
    const data = {
      failure: debt.status === 'open' ? failure : null,
      show: () => onView({ ...debt, apiUrl }),
    };
    return { kind: 'ok', data };
  };
}

interface PayFormProps {
  payable: Payable;
  /** Another way stands above it: the bank waits for the buyer, or their stored card is at hand. */
  isSecond: boolean;
  /** Whether the buyer chooses if the card is kept; otherwise it is where the order renews. */
  keeping: 'asked' | 'yes' | 'no';
  /** What else the button says; null for an amount. */
  label?: string | null;
  /** What the buyer agrees to with it. */
  terms?: string | null;
  send: Sending;
  /** The price has changed: the buyer is shown the new one before they press again. */
  onPrice?(quote: Quote): void;
}

/** Pays by what is typed, or says where to send the money. */
export function PayForm(props: PayFormProps) {
  const { payable, isSecond, keeping, label = null, terms = null } = props;
  const { t, money } = useLocale();
  const [card, setCard] = useState<CardValues>(EMPTY_CARD);
  const { methods, processorFields } = payable;
  const [wanted, setMethod] = useState<Method | null>(null);
  const method = methods.find((one) => one === wanted) ?? methods[0] ?? null;
  const [wantsKept, setKeeps] = useState(true);
  const keeps = keeping === 'asked' ? wantsKept : keeping === 'yes';
  const amount = money(payable.amount, payable);
  const { notice, errors, isBusy, pay, clearError, onFields, form } = usePaying(props);
  const onCard = (field: keyof CardValues, value: string) => {
    clearError(`card.${field}`);
    setCard((before) => ({ ...before, [field]: value }));
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const choice = keeping === 'asked' && method !== 'transfer' ? { keep: keeps } : {};
        if (method === 'card') void pay({ option: 'card', card, keeps: false }, choice);
        else if (method) void pay({ option: method }, choice);
      }}
    >
      <section>
        <h2>{isSecond ? payText('pay.again') : t('card.title')}</h2>
        {notice && <Notice key={notice.count} text={notice.text} />}
        {method && <MethodChoice {...{ methods, chosen: method, onMethod: setMethod }} />}
        <MethodNote method={method} />
        {method === 'token' && processorFields && (
          <LaterFields fields={processorFields} onFields={onFields} />
        )}
        {method === 'card' && (
          <>
            {payable.testMode && <TestCards onCard={onCard} />}
            <CardFields card={card} errors={errors} onCard={onCard} />
          </>
        )}
        {method !== null && method !== 'transfer' && keeping === 'asked' && (
          <KeepBox keeps={keeps} onKeeps={setKeeps} />
        )}
        {method === 'card' && (
          <p class="secure">
            <LockIcon />
            {t(keeps ? 'card.secureRenewal' : 'card.secure')}
          </p>
        )}
      </section>
      {method && (
        <div class="submit">
          <button type="submit" class="primary" aria-busy={isBusy}>
            <span>{label ?? t(method === 'transfer' ? 'submit.transfer' : 'submit.pay', { amount })}</span>
          </button>
          {terms && <p class="terms">{terms}</p>}
        </div>
      )}
    </form>
  );
}

function KeepBox({ keeps, onKeeps }: { keeps: boolean; onKeeps(keeps: boolean): void }) {
  return (
    <label class="check pay-keep">
      <input
        type="checkbox"
        name="keep"
        checked={keeps}
        onChange={(event) => onKeeps(event.currentTarget.checked)}
      />
      <span>{payText('pay.keep')}</span>
    </label>
  );
}

/** What a press of a button comes to, beside it and at the fields, each time it is pressed. */
function usePaying({ payable, isSecond, send, onPrice }: PayFormProps) {
  const locale = useLocale();
  const { t, tCode, money } = locale;
  const { fingerprint } = payable;
  const failure = isSecond ? null : payable.failure;
  const [errors, setErrors] = useState<FieldErrors>({});
  const [notice, setNotice] = useState<{ text: string; count: number } | null>(
    failure && { text: tCode('error.', failure.reason, failure.message), count: 0 },
  );
  const [isBusy, setBusy] = useState(false);
  const form = useFirstWrongFocused(errors);
  const readToken = useRef<ReadToken | null>(null);

  const refuse = (text: string, found: FieldErrors = {}) => {
    setErrors(found);
    setNotice((before) => ({ text, count: (before?.count ?? 0) + 1 }));
  };

  /** What is sent to pay with; null where the processor's fields have told what they lack. */
  const settlePaying = async (chosen: Choice): Promise<Paying | null> => {
    if (chosen.option !== 'token') return chosen;
    const read = (await readToken.current?.().catch(() => null)) ?? { problem: null };
    if ('token' in read) return { option: 'token', token: read.token };
    refuse(read.problem ?? t('fields.failed'));
    return null;
  };

  const pay = async (chosen: Choice, choice: { keep?: boolean }) => {
    if (isBusy) return;
    // findMissingCard names keys of the texts.
    const missing = Object.entries(chosen.option === 'card' ? findMissingCard(chosen.card) : {});
    if (missing.length > 0) {
      const texts = missing.map(([path, key]) => [path, t(key as TextKey)]);
      return refuse(t('notice.fields'), Object.fromEntries(texts));
    }
    setBusy(true);
    setErrors({});
    setNotice(null);
    const paying = await settlePaying(chosen);
    if (paying === null) return setBusy(false);
    const shown = fingerprint === null ? {} : { fingerprint };
    const answer = await send({ ...toPayingBody(paying), ...choice, ...shown });
    setBusy(false);
    if (answer.kind === 'lost') return refuse(t('notice.lost'));
    if (answer.kind === 'refused') {
      const { quote } = answer;
      if (quote && onPrice) {
        onPrice(quote);
        const [before, after] = [money(payable.amount, payable), money(quote.dueNow, quote)];
        return refuse(t(before === after ? 'notice.priceSame' : 'notice.priceChanged', { before, after }));
      }
      const marked = answer.details.map(({ path, message }) => [path, describeField(locale, path, message)]);
      const text = marked.length > 0 ? t('notice.fields') : tCode('error.', answer.code, answer.message);
      return refuse(text, Object.fromEntries(marked));
    }
    const { failure: declined, show } = answer.data;
    show();
    if (declined) refuse(tCode('error.', declined.reason, declined.message));
  };

  const clearError = (path: string) => setErrors(({ [path]: _cleared, ...others }) => others);
  const onFields = (read: ReadToken | null) => {
    readToken.current = read;
  };
  return { notice, errors, isBusy, pay, clearError, onFields, form };
}

/** Takes the buyer to the first wrong field each time fields are marked. */
function useFirstWrongFocused(errors: FieldErrors) {
  const form = useRef<HTMLFormElement>(null);
  const count = Object.keys(errors).length;
  const marked = useRef(0);
  useEffect(() => {
    if (count > marked.current) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    marked.current = count;
  }, [errors]);
  return form;
}
