import { useLocale } from '../locale.tsx';
import type { Refund } from '../view.ts';
import { DownloadIcon } from './icons.tsx';

interface DocumentLinksProps {
  invoices: Array<{ invoiceNumber: string | null; invoiceUrl: string | null }>;
  refunds: Refund[];
}

/** The proofs for the buyer's books: each invoice, and beside it the credit note of what was given back. */
export function DocumentLinks({ invoices, refunds }: DocumentLinksProps) {
  const { t } = useLocale();
  const documents = [
    ...invoices.map(({ invoiceNumber, invoiceUrl }) => ({
      url: invoiceUrl,
      name: t('receipt.invoice'),
      number: invoiceNumber,
    })),
    ...refunds.map(({ creditNoteNumber, creditNoteUrl }) => ({
      url: creditNoteUrl,
      name: t('receipt.creditNote'),
      number: creditNoteNumber,
    })),
  ];
  return (
    <div class="documents">
      {documents.map(
        ({ url, name, number }) =>
          url && (
            <a key={url} class="download" href={url}>
              <DownloadIcon />
              <span class="download-name">
                {name} <span class="document-number">{number}</span>
              </span>
              <span class="line-note">PDF</span>
            </a>
          ),
      )}
    </div>
  );
}
