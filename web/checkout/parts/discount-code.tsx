import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocale } from '../../ui/locale.tsx';
import { TextField } from '../../ui/parts/field.tsx';
import { CheckIcon } from '../../ui/parts/icons.tsx';
import type { Quote } from '../../ui/view.ts';

export interface DiscountCodeProps {
  quote: Quote;
  draft: string;
  error: string | undefined;
  onDraft(code: string): void;
  onApply(code: string): void;
  /** The seller has set it. */
  isLocked: boolean;
}

/** A code to lower the price with, and which discount is in use. On a phone the field opens by a press. */
export function DiscountCode({ quote, draft, error, onDraft, onApply, isLocked }: DiscountCodeProps) {
  const { t } = useLocale();
  const [isOpen, setOpen] = useState(draft !== '');
  const box = useRef<HTMLDivElement>(null);
  const isShown = isOpen || error !== undefined;
  useEffect(() => {
    if (isOpen && draft === '') box.current?.querySelector('input')?.focus();
  }, [isOpen]);
  if (isLocked) return <AppliedDiscount quote={quote} onRemove={null} />;
  return (
    <div class="discount" data-open={isShown} ref={box}>
      {!isShown && (
        <button type="button" class="link add-code" aria-expanded={false} onClick={() => setOpen(true)}>
          {t('code.add')}
        </button>
      )}
      <div class="discount-row">
        <TextField
          label={t('code.label')}
          name="discountCode"
          value={draft}
          error={error}
          onValue={onDraft}
          input={{
            autocomplete: 'off',
            autocapitalize: 'characters',
            spellcheck: false,
            // Enter means this field here, not the purchase.
            onKeyDown: (event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              onApply(draft.trim());
            },
          }}
        />
        <button type="button" class="secondary" onClick={() => onApply(draft.trim())}>
          {t('code.apply')}
        </button>
      </div>
      <AppliedDiscount quote={quote} onRemove={() => onApply('')} />
    </div>
  );
}

function AppliedDiscount({ quote, onRemove }: { quote: Quote; onRemove: (() => void) | null }) {
  const { t, money } = useLocale();
  const applied = quote.appliedDiscount;
  if (!applied || quote.discount === 0) return null;
  const amount = money(quote.discount, quote);
  const code = applied.type === 'code' ? (applied.discountCode ?? applied.name ?? '') : '';
  return (
    <>
      <p class="applied">
        <CheckIcon />
        {code
          ? t('code.applied', { code, amount })
          : t('code.sale', { name: applied.name ?? t('code.saleName'), amount })}
        {code && onRemove && (
          <button type="button" class="remove" aria-label={t('code.remove', { code })} onClick={onRemove}>
            ×
          </button>
        )}
      </p>
      {quote.codeUnused && <p class="hint">{t(quote.appliedDiscount ? 'code.beaten' : 'code.useless')}</p>}
    </>
  );
}
