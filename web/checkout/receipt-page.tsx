import { useEffect, useRef } from 'preact/hooks';
import { tellShown } from '../ui/api.ts';
import { useLocale } from '../ui/locale.tsx';
import { DocumentLinks } from '../ui/parts/document-links.tsx';
import { AlertIcon, SealIcon } from '../ui/parts/icons.tsx';
import { ReceiptItems } from '../ui/parts/receipt-items.tsx';
import { PageFooter, SellerLine } from '../ui/parts/seller-line.tsx';
import { usePaymentMethodText, useTermsText } from '../ui/state/use-receipt-texts.ts';
import type { TextKey } from '../ui/texts.ts';
import type { PaidView, Receipt } from '../ui/view.ts';
import { RedirectLine } from './parts/redirect-line.tsx';
import '../ui/styles/receipt.css';
import '../ui/styles/print.css';

export interface ReceiptProps {
  view: PaidView;
  /** Paid a moment ago on this page, not found paid when it was opened. */
  isNew: boolean;
}

/** What was bought, with everything the buyer takes away: keys, files, numbers. */
export function ReceiptPage({ view, isNew }: ReceiptProps) {
  const { t } = useLocale();
  const heading = useRef<HTMLHeadingElement>(null);
  const { receipt } = view;
  const { isCancelled } = receipt;
  const terms = useTermsText(receipt.subscription);
  const title = isCancelled ? 'receipt.cancelledTitle' : 'receipt.title';
  useEffect(() => {
    document.title = `${t(title)} · ${view.seller.name}`;
  }, [t]);
  useEffect(() => {
    if (!isNew) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [isNew]);
  const hasKeys = receipt.items.some(({ keys }) => keys.length > 0);
  useEffect(() => {
    // Whether the page hears of it changes nothing of what it shows.
    if (hasKeys) void tellShown(view.apiUrl);
  }, [hasKeys]);
  return (
    <div class="page narrow">
      <main class="ticket single receipt">
        <SellerLine seller={view.seller} testMode={view.testMode} />
        <div class="receipt-head">
          {isCancelled ? (
            <span class="message-sign">
              <AlertIcon />
            </span>
          ) : (
            <SealIcon />
          )}
          <h1 ref={heading} tabIndex={-1}>
            {t(title)}
          </h1>
          <p>{t(chooseText(receipt), { email: receipt.email })}</p>
          {receipt.redirectUrl && <RedirectLine sessionId={view.id} url={receipt.redirectUrl} />}
        </div>
        <ReceiptItems receipt={receipt} />
        {terms && <p class="receipt-terms">{terms}</p>}
        <div class="perforated">
          <ReceiptFacts receipt={receipt} />
          {view.legal.portal !== null && (
            <a class="secondary receipt-manage" href={toManageUrl(view.legal.portal, receipt)}>
              {t('receipt.manage')}
            </a>
          )}
        </div>
      </main>
      <PageFooter seller={view.seller} legal={view.legal} />
    </div>
  );
}

/** The address is known at the door by what no server is sent. */
function toManageUrl(portal: string, { orderNumber, subscription, email }: Receipt): string {
  const kind = subscription ? 'subscriptions' : 'orders';
  return `${portal}/${kind}/${orderNumber}#email=${encodeURIComponent(email)}`;
}

function chooseText({ isCancelled, isRefunded, isMailed, subscription }: Receipt): TextKey {
  if (isCancelled) return 'receipt.cancelled';
  if (isRefunded) return 'receipt.refundedAll';
  if (subscription?.status === 'trialing') return 'receipt.textTrial';
  return isMailed ? 'receipt.textMailed' : 'receipt.text';
}

function ReceiptFacts({ receipt }: { receipt: Receipt }) {
  const { t, date } = useLocale();
  const { orderNumber, paymentNumber, refunds } = receipt;
  const method = usePaymentMethodText(receipt.paymentMethod);
  const facts: Array<[string, string | null]> = [
    [t('receipt.order'), orderNumber],
    [t('receipt.date'), date(receipt.paidAt)],
    // An initial payment has its order's number.
    [t('receipt.payment'), paymentNumber === orderNumber ? null : paymentNumber],
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
      <DocumentLinks invoices={[receipt]} refunds={refunds} />
    </>
  );
}
