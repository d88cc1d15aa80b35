/** Entry of the checkout: one session from the first look to the receipt, at one address. */
import { useEffect, useState } from 'preact/hooks';
import { getCheckout } from '../ui/api.ts';
import { useLocale } from '../ui/locale.tsx';
import { mountPage } from '../ui/mount.tsx';
import { MessagePanel } from '../ui/parts/message-panel.tsx';
import { PageFooter, SellerLine } from '../ui/parts/seller-line.tsx';
import type { SessionView } from '../ui/view.ts';
import { CheckoutPage } from './checkout-page.tsx';
import { openFrame, toKeptQuery } from './frame/channel.ts';
import { BankWindow, goToBank, readJourney, useBankAnswer, useJourney } from './frame/journey.tsx';
import { useFrame } from './frame/use-frame.ts';
import { WaitNote } from './frame/wait-note.tsx';
import { LaterReceipt } from './later-receipt.tsx';
import { BackLink } from './parts/back-link.tsx';
import { keepOpenOrder } from './state/open-order.ts';
import '../ui/styles/checkout.css';
import './frame/frame.css';

const frame = openFrame();

function CheckoutApp({ initialView }: { initialView: SessionView }) {
  const [view, setView] = useState(initialView);
  const [journey] = useState(() => readJourney(frame, initialView));
  const { t, tCode } = useLocale();
  useFreshViewOnReturn(view.apiUrl, setView);
  useEffect(() => keepOpenOrder(view), [view.status]);
  const onView = (next: SessionView) => {
    setView(next);
    // The page may be gone before it is drawn again.
    keepOpenOrder(next);
    if (next.status === 'requires_action' && next.action && !next.action.isAsked) goToBank(next.action.url);
  };
  useFrame(view);
  useBankAnswer(view, setView);
  if (useJourney(journey, view)) return <BankWindow />;
  if (view.status === 'paid') {
    return <LaterReceipt view={view} isNew={initialView !== view} />;
  }
  if (view.status === 'mailed') {
    return (
      <div class="page narrow">
        <main class="ticket single">
          <SellerLine seller={view.seller} testMode={view.testMode} />
          <MessagePanel
            sign="seal"
            heading={t('mailed.title')}
            text={t('mailed.text', { email: view.email })}
          >
            <BackLink view={view} className="secondary" />
          </MessagePanel>
        </main>
        <PageFooter seller={view.seller} legal={view.legal} />
      </div>
    );
  }
  if (view.status === 'expired' || view.status === 'unavailable') {
    const reason = view.unavailableReason;
    return (
      <div class="page narrow">
        <main class="ticket single">
          <SellerLine seller={view.seller} testMode={view.testMode} />
          <MessagePanel
            heading={t(`${view.status}.title`)}
            text={reason ? tCode('error.', reason.code, reason.message) : t(`${view.status}.text`)}
          >
            {view.againUrl && (
              <a class="primary" href={view.againUrl + toKeptQuery().replace('?', '&')}>
                {t('expired.again')}
              </a>
            )}
            <BackLink view={view} className="secondary" />
          </MessagePanel>
        </main>
        <PageFooter seller={view.seller} legal={view.legal} />
      </div>
    );
  }
  return (
    <>
      <CheckoutPage view={view} onView={onView} />
      <WaitNote />
    </>
  );
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
