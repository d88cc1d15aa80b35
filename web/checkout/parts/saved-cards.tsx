import { useLocale } from '../../ui/locale.tsx';
import { describeMethod } from '../../ui/state/use-receipt-texts.ts';
import type { SavedChoice } from '../state/use-saved.ts';

/** The cards that the buyer has stored, and the way to another one. */
export function SavedCards({ saved: { methods, chosen, choose } }: { saved: SavedChoice }) {
  const locale = useLocale();
  const choices = [
    ...methods.map((method) => ({ id: method.id, label: describeMethod(locale, method) })),
    { id: null, label: locale.t('card.other') },
  ];
  return (
    <div role="radiogroup" aria-label={locale.t('card.method')}>
      {choices.map(({ id, label }) => (
        <label class="check" key={id}>
          <input type="radio" name="paymentMethod" checked={id === chosen} onChange={() => choose(id)} />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}

/** Nothing is stored that the buyer has not asked for. */
export function KeepCard({ saved: { keeps, setKeeps } }: { saved: SavedChoice }) {
  const { t } = useLocale();
  return (
    <label class="check">
      <input
        type="checkbox"
        name="keepMethod"
        checked={keeps}
        onChange={(event) => setKeeps(event.currentTarget.checked)}
      />
      <span>{t('card.keep')}</span>
    </label>
  );
}
