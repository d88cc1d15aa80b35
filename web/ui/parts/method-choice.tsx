import { useLocale } from '../locale.tsx';
import type { Method } from '../view.ts';

interface MethodChoiceProps {
  methods: readonly Method[];
  chosen: Method;
  onMethod(method: Method): void;
}

/** The ways to pay, where there is more than one. */
export function MethodChoice({ methods, chosen, onMethod }: MethodChoiceProps) {
  const { t } = useLocale();
  if (methods.length < 2) return null;
  return (
    <div class="methods" role="radiogroup" aria-label={t('method.label')}>
      {methods.map((method) => (
        <label key={method} class="method">
          <input
            type="radio"
            name="method"
            value={method}
            checked={method === chosen}
            onChange={() => onMethod(method)}
          />
          <span>{t(`method.${method}`)}</span>
        </label>
      ))}
    </div>
  );
}

/** What is not asked for on this page. Null = nothing is offered. */
export function MethodNote({ method }: { method: Method | null }) {
  const { t } = useLocale();
  if (method === 'card' || method === 'token') return null;
  const key = method === null ? 'method.none' : method === 'redirect' ? 'redirect.note' : 'transfer.note';
  return <p class="transfer-note">{t(key)}</p>;
}
