import { useLocale } from '../locale.tsx';
import type { Refund } from '../view.ts';

/** The proof of what was given back: a credit note stands beside the invoice, which stays as it is. */
export function CreditNotes({ refunds }: { refunds: Refund[] }) {
  const { t } = useLocale();
  return (
    <>
      {refunds.map(
        ({ creditNoteNumber, creditNoteUrl }) =>
          creditNoteUrl && (
            <a key={creditNoteUrl} class="secondary" href={creditNoteUrl}>
              {t('receipt.creditNoteOpen', { number: creditNoteNumber ?? '' })}
            </a>
          ),
      )}
    </>
  );
}
