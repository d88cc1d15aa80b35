import { useEffect, useRef } from 'preact/hooks';
import type { DebtReceipt, DebtView } from '../ui/debt.ts';
import { useLocale } from '../ui/locale.tsx';
import { DocumentLinks } from '../ui/parts/document-links.tsx';
import { SealIcon } from '../ui/parts/icons.tsx';
import { ReceiptTotals } from '../ui/parts/receipt-items.tsx';
import { PageFooter, SellerLine } from '../ui/parts/seller-line.tsx';
import { usePaymentMethodText, useTermsText } from '../ui/state/use-receipt-texts.ts';
import { DebtParts } from './parts/debt-summary.tsx';

interface PayReceiptProps {
  view: DebtView;
  receipt: DebtReceipt;
  /** Paid a moment ago on this page, not found paid when it was opened. */
  isNew: boolean;
}

/** What was paid, how the subscription goes on, and the invoices. */
export function PayReceipt({ view, receipt, isNew }: PayReceiptProps) {
  const { t } = useLocale();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isNew) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [isNew]);
  const terms = useTermsText(receipt.subscription);
  const { currency, currencyDecimals } = view;
  return (
    <div class="page narrow">
      <main class="ticket single receipt">
        <SellerLine name={view.seller.name} testMode={view.testMode} />
        <div class="receipt-head">
          <SealIcon />
          <h1 ref={heading} tabIndex={-1}>
            {t('pay.done')}
          </h1>
          <p>{t('pay.doneText')}</p>
        </div>
        <DebtParts parts={receipt.payments} view={view} label={t('pay.paid')} />
        <ReceiptTotals receipt={{ ...receipt, currency, currencyDecimals }} />
        {terms && <p class="receipt-terms">{terms}</p>}
        <div class="perforated">
          <PaidFacts view={view} receipt={receipt} />
        </div>
      </main>
      <PageFooter supportEmail={view.seller.supportEmail} />
    </div>
  );
}

function PaidFacts({ view, receipt }: { view: DebtView; receipt: DebtReceipt }) {
  const { t, date } = useLocale();
  const method = usePaymentMethodText(receipt.paymentMethod);
  const facts: Array<[string, string | null]> = [
    [t('receipt.order'), view.orderNumber],
    [t('receipt.date'), date(receipt.paidAt)],
    [t('receipt.method'), method],
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
      <DocumentLinks invoices={receipt.payments} refunds={receipt.refunds} />
    </>
  );
}
