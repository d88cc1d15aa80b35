/** Entry of the checkout: one session from the first look to the receipt, at one address. */
import { useEffect, useState } from 'preact/hooks';
import { getCheckout } from '../ui/api.ts';
import { useLocale } from '../ui/locale.tsx';
import { mountPage } from '../ui/mount.tsx';
import { MessagePanel } from '../ui/parts/message-panel.tsx';
import { PageFooter, SellerLine } from '../ui/parts/seller-line.tsx';
import type { SessionView } from '../ui/view.ts';
import { CheckoutPage } from './checkout-page.tsx';
import { ReceiptPage } from './receipt-page.tsx';
import '../ui/styles/checkout.css';
import '../ui/styles/receipt.css';

function CheckoutApp({ initialView }: { initialView: SessionView }) {
  const [view, setView] = useState(initialView);
  const { t, tCode } = useLocale();
  useFreshViewOnReturn(view.apiUrl, setView);
  const onView = (next: SessionView) => {
    setView(next);
    if (next.status === 'requires_action' && next.action) window.location.assign(next.action.url);
  };
  if (view.status === 'paid') {
    return <ReceiptPage view={view} isNew={initialView !== view} />;
  }
  if (view.status === 'mailed') {
    return (
      <div class="page narrow">
        <main class="ticket single">
          <SellerLine name={view.seller.name} testMode={view.testMode} />
          <MessagePanel
            sign="seal"
            heading={t('mailed.title')}
            text={t('mailed.text', { email: view.email })}
          />
        </main>
        <PageFooter supportEmail={view.seller.supportEmail} />
      </div>
    );
  }
  if (view.status === 'expired' || view.status === 'unavailable') {
    const reason = view.unavailableReason;
    return (
      <div class="page narrow">
        <main class="ticket single">
          <SellerLine name={view.seller.name} testMode={view.testMode} />
          <MessagePanel
            heading={t(`${view.status}.title`)}
            text={reason ? tCode('error.', reason.code, reason.message) : t(`${view.status}.text`)}
          />
        </main>
        <PageFooter supportEmail={view.seller.supportEmail} />
      </div>
    );
  }
  return <CheckoutPage view={view} onView={onView} />;
}

/** Going back from the bank's page may show this page as it was left: the session has moved on since. */
function useFreshViewOnReturn(apiUrl: string, onView: (view: SessionView) => void): void {
  useEffect(() => {
    const refresh = async (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      const answer = await getCheckout(apiUrl);
      if (answer.kind === 'ok') onView(answer.data.checkout);
    };
    window.addEventListener('pageshow', refresh);
    return () => window.removeEventListener('pageshow', refresh);
  }, [apiUrl]);
}

void mountPage<SessionView>((view) => <CheckoutApp initialView={view} />);
