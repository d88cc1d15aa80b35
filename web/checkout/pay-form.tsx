import { useState } from 'preact/hooks';
import { payDebt } from './api.ts';
import { type CardValues, EMPTY_CARD } from './card.ts';
import type { DebtView } from './debt.ts';
import type { FieldErrors } from './form.ts';
import { describeField, useLocale } from './locale.tsx';
import { CardFields } from './parts/card-fields.tsx';
import { LockIcon } from './parts/icons.tsx';
import { Notice } from './parts/notice.tsx';
import { TestCards } from './parts/test-cards.tsx';

interface PayFormProps {
  view: DebtView;
  onView(view: DebtView): void;
}

/** Pays by the card that is typed, or by the stored one at a press. */
export function PayForm({ view, onView }: PayFormProps) {
  const locale = useLocale();
  const { t, tCode, money } = locale;
  const [card, setCard] = useState<CardValues>(EMPTY_CARD);
  const [keeps, setKeeps] = useState(true);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [notice, setNotice] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { storedCard } = view;

  const pay = async (body: { card?: CardValues; keep?: boolean }) => {
    setBusy(true);
    setErrors({});
    setNotice(null);
    const answer = await payDebt(view.apiUrl, body);
    setBusy(false);
    if (answer.kind === 'ok') return onView({ ...answer.data.debt, apiUrl: view.apiUrl });
    if (answer.kind === 'lost') return setNotice(t('notice.lost'));
    const marked = answer.details.map(({ path, message }) => [path, describeField(locale, path, message)]);
    setErrors(Object.fromEntries(marked));
    setNotice(marked.length > 0 ? t('notice.fields') : tCode('error.', answer.code, answer.message));
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void pay({ card, keep: keeps });
      }}
    >
      {storedCard && (
        <button type="button" class="secondary" disabled={isBusy} onClick={() => void pay({})}>
          {t('pay.useStored', {
            brand: toBrandName(storedCard.brand) ?? t('receipt.card'),
            last4: storedCard.last4,
          })}
        </button>
      )}
      <section>
        <h2>{t(storedCard ? 'pay.again' : 'card.title')}</h2>
        {view.testMode && (
          <TestCards onNumber={(number) => setCard({ ...card, number, expiry: '12/35', cvc: '123' })} />
        )}
        <CardFields
          card={card}
          errors={errors}
          onCard={(field, value) => setCard({ ...card, [field]: value })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={keeps}
            onChange={(event) => setKeeps(event.currentTarget.checked)}
          />
          <span>{t('pay.keep')}</span>
        </label>
        <p class="secure">
          <LockIcon />
          {t('card.secure')}
        </p>
      </section>
      {notice && <Notice text={notice} />}
      <div class="submit">
        <button type="submit" class="primary" disabled={isBusy} aria-busy={isBusy}>
          <span>{t('submit.pay', { amount: money(view.amount, view) })}</span>
        </button>
      </div>
    </form>
  );
}

function toBrandName(brand: string | null): string | null {
  return brand === null ? null : brand.charAt(0).toUpperCase() + brand.slice(1);
}
