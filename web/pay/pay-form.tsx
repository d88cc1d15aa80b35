import { useEffect, useRef, useState } from 'preact/hooks';
import { payDebt } from '../ui/api.ts';
import { type CardValues, digitsOf, EMPTY_CARD } from '../ui/card.ts';
import type { DebtView, PayView } from '../ui/debt.ts';
import { type FieldErrors, findMissingCard } from '../ui/form.ts';
import { describeField, useLocale } from '../ui/locale.tsx';
import { CardFields } from '../ui/parts/card-fields.tsx';
import { LockIcon } from '../ui/parts/icons.tsx';
import { Notice } from '../ui/parts/notice.tsx';
import { TestCards } from '../ui/parts/test-cards.tsx';
import { usePaymentMethodText } from '../ui/state/use-receipt-texts.ts';
import type { TextKey } from '../ui/texts.ts';

const TEST_EXPIRY = '12/35';
const TEST_CVC = '123';

interface PayFormProps {
  view: DebtView;
  /** The bank waits for the buyer: to pay otherwise is the second choice. */
  isWaiting: boolean;
  onView(view: PayView): void;
}

/** Pays by the card that is typed, or tries the stored one again. */
export function PayForm({ view, isWaiting, onView }: PayFormProps) {
  const { t, money } = useLocale();
  const [card, setCard] = useState<CardValues>(EMPTY_CARD);
  const [keeps, setKeeps] = useState(true);
  const { notice, errors, isBusy, pay, clearError, form } = usePaying(view, onView);
  const { storedCard } = view;
  const stored = usePaymentMethodText(storedCard);
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
        void pay(card, keeps);
      }}
    >
      <section>
        <h2>{t(isWaiting ? 'pay.again' : 'card.title')}</h2>
        {notice && <Notice key={notice.count} text={notice.text} />}
        {view.testMode && (
          <TestCards
            onNumber={(number) => {
              onCard('number', number);
              onCard('expiry', TEST_EXPIRY);
              onCard('cvc', TEST_CVC);
            }}
          />
        )}
        <CardFields card={card} errors={errors} onCard={onCard} />
        <label class="check pay-keep">
          <input
            type="checkbox"
            name="keep"
            checked={keeps}
            onChange={(event) => setKeeps(event.currentTarget.checked)}
          />
          <span>{t('pay.keep')}</span>
        </label>
        <p class="secure">
          <LockIcon />
          {t(keeps ? 'card.secureRenewal' : 'card.secure')}
        </p>
      </section>
      <div class="submit">
        <button type="submit" class="primary" disabled={isBusy} aria-busy={isBusy}>
          <span>{t('submit.pay', { amount: money(view.amount, view) })}</span>
        </button>
        {stored && !isWaiting && (
          <>
            <p class="or">{t('pay.or')}</p>
            <button
              type="button"
              class="secondary pay-stored"
              disabled={isBusy}
              onClick={() => void pay(null, false)}
            >
              {t('pay.useStored', { card: stored })}
            </button>
          </>
        )}
      </div>
    </form>
  );
}

/** What a press of a button comes to, beside it and at the fields, each time it is pressed. */
function usePaying(view: DebtView, onView: (view: PayView) => void) {
  const locale = useLocale();
  const { t, tCode } = locale;
  const { failure } = view;
  const [errors, setErrors] = useState<FieldErrors>({});
  const [notice, setNotice] = useState<{ text: string; count: number } | null>(
    failure && { text: tCode('error.', failure.reason, failure.message), count: 0 },
  );
  const [isBusy, setBusy] = useState(false);
  const form = useFirstWrongFocused(errors);

  const refuse = (text: string, found: FieldErrors = {}) => {
    setErrors(found);
    setNotice((before) => ({ text, count: (before?.count ?? 0) + 1 }));
  };

  /** Null = the stored card. */
  const pay = async (card: CardValues | null, keeps: boolean) => {
    if (isBusy) return;
    // findMissingCard names keys of the texts.
    const missing = Object.entries(card ? findMissingCard(card) : {});
    if (missing.length > 0) {
      const texts = missing.map(([path, key]) => [path, t(key as TextKey)]);
      return refuse(t('notice.fields'), Object.fromEntries(texts));
    }
    setBusy(true);
    setErrors({});
    setNotice(null);
    const body = card
      ? { card: { ...card, number: digitsOf(card.number), name: card.name.trim() }, keep: keeps }
      : {};
    const answer = await payDebt(view.apiUrl, body);
    setBusy(false);
    if (answer.kind === 'lost') return refuse(t('notice.lost'));
    if (answer.kind === 'refused') {
      const marked = answer.details.map(({ path, message }) => [path, describeField(locale, path, message)]);
      const text = marked.length > 0 ? t('notice.fields') : tCode('error.', answer.code, answer.message);
      return refuse(text, Object.fromEntries(marked));
    }
    const { debt } = answer.data;
    onView({ ...debt, apiUrl: view.apiUrl });
    if (debt.kind === 'owed' && debt.status === 'open' && debt.failure) {
      refuse(tCode('error.', debt.failure.reason, debt.failure.message));
    }
  };

  const clearError = (path: string) => setErrors(({ [path]: _cleared, ...others }) => others);
  return { notice, errors, isBusy, pay, clearError, form };
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
