import { useEffect, useId, useState } from 'preact/hooks';
import { useLocale } from '../locale.tsx';

export interface QuantityFieldProps {
  /** Of what, where there are several. */
  label: string | null;
  value: number;
  /** Null = no bound. */
  max: number | null;
  error: string | undefined;
  onValue(value: number): void;
}

/** How many, to be typed or stepped. A number that is not whole yet is left in the field and not passed on. */
export function QuantityField({ label, value, max, error, onValue }: QuantityFieldProps) {
  const { t } = useLocale();
  const id = useId();
  const [draft, setDraft] = useState(String(value));
  useEffect(() => setDraft(String(value)), [value]);
  const name = (what: string) => (label === null ? what : `${what}: ${label}`);
  const isMost = max !== null && value >= max;
  const take = (text: string) => {
    setDraft(text);
    const count = Number(text);
    if (Number.isSafeInteger(count) && count >= 1) onValue(count);
  };
  return (
    <div class="quantity">
      <label for={id} class="sr-only">
        {name(t('quantity'))}
      </label>
      <div class="stepper">
        <button
          type="button"
          aria-label={name(t('quantity.fewer'))}
          aria-disabled={value <= 1}
          onClick={() => value > 1 && take(String(value - 1))}
        >
          −
        </button>
        <input
          id={id}
          name="quantity"
          type="number"
          inputMode="numeric"
          min="1"
          max={max ?? undefined}
          step="1"
          value={draft}
          aria-invalid={error ? 'true' : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onInput={(event) => take(event.currentTarget.value)}
          onBlur={() => setDraft(String(value))}
        />
        <button
          type="button"
          aria-label={name(t('quantity.more'))}
          aria-disabled={isMost}
          onClick={() => isMost || take(String(value + 1))}
        >
          +
        </button>
      </div>
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
