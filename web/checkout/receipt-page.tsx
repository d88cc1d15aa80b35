import { useEffect, useRef } from 'preact/hooks';
import { useLocale } from './locale.tsx';
import { CreditNotes } from './parts/credit-notes.tsx';
import { SealIcon } from './parts/icons.tsx';
import { ReceiptItems } from './parts/receipt-items.tsx';
import { RedirectLine } from './parts/redirect-line.tsx';
import { PageFooter, SellerLine } from './parts/seller-line.tsx';
import { usePaymentMethodText, useTermsText } from './state/use-receipt-texts.ts';
import type { PaidView, Receipt } from './view.ts';

interface ReceiptPageProps {
  view: PaidView;
  /** Paid a moment ago on this page, not found paid when it was opened. */
  isNew: boolean;
}

/** What was bought, with everything the buyer takes away: keys, files, numbers. */
export function ReceiptPage({ view, isNew }: ReceiptPageProps) {
  const { t } = useLocale();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${t('receipt.title')} · ${view.seller.name}`;
    if (!isNew) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [isNew]);
  const { receipt } = view;
  const terms = useTermsText(receipt.subscription);
  return (
    <div class="page narrow">
      <main class="ticket single receipt">
        <SellerLine name={view.seller.name} testMode={view.testMode} />
        <div class="receipt-head">
          <SealIcon />
          <h1 ref={heading} tabIndex={-1}>
            {t('receipt.title')}
          </h1>
          {receipt.isCancelled && <p class="receipt-cancelled">{t('receipt.cancelled')}</p>}
          <p>{t(receipt.isMailed ? 'receipt.textMailed' : 'receipt.text', { email: receipt.email })}</p>
          {receipt.redirectUrl && <RedirectLine sessionId={view.id} url={receipt.redirectUrl} />}
        </div>
        <ReceiptItems receipt={receipt} />
        {terms && <p class="receipt-terms">{terms}</p>}
        <div class="perforated">
          <ReceiptFacts receipt={receipt} />
        </div>
      </main>
      <PageFooter supportEmail={view.seller.supportEmail} />
    </div>
  );
}

function ReceiptFacts({ receipt }: { receipt: Receipt }) {
  const { t, date } = useLocale();
  const { invoiceNumber, invoiceUrl, orderNumber, paymentNumber, refunds } = receipt;
  const method = usePaymentMethodText(receipt.paymentMethod);
  const facts: Array<[string, string | null]> = [
    [t('receipt.order'), orderNumber],
    [t('receipt.date'), date(receipt.paidAt)],
    // An initial payment has its order's number.
    [t('receipt.payment'), paymentNumber === orderNumber ? null : paymentNumber],
    [t('receipt.method'), method],
    [t('receipt.invoice'), invoiceNumber],
  ];
  return (
    <>
      <dl class="facts">
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {invoiceUrl && (
        <a class="secondary" href={invoiceUrl}>
          {t('receipt.invoiceOpen')}
        </a>
      )}
      <CreditNotes refunds={refunds} />
    </>
  );
}
