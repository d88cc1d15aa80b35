/** Entry of the page behind a payment's link: what a subscription owes is paid, authenticated, or paid otherwise. */
import { useEffect, useState } from 'preact/hooks';
import { confirmDebt, getDebt } from '../ui/api.ts';
import type { DebtView, PayView } from '../ui/debt.ts';
import { useLocale } from '../ui/locale.tsx';
import { mountPage } from '../ui/mount.tsx';
import { MessagePanel } from '../ui/parts/message-panel.tsx';
import { PageFooter, SellerLine } from '../ui/parts/seller-line.tsx';
import { ActionPanel, ProcessingPanel } from '../ui/parts/status-panels.tsx';
import { useConfirmation } from '../ui/state/use-confirmation.ts';
import { DebtSummary } from './parts/debt-summary.tsx';
import { PayForm } from './pay-form.tsx';
import '../ui/styles/checkout.css';
import '../ui/styles/receipt.css';
import './styles/pay.css';

function PayPage({ initialView }: { initialView: PayView }) {
  const { t } = useLocale();
  const [view, setView] = useState(initialView);
  const isOffline = useConfirmation<{ debt: PayView }, PayView>({
    view,
    confirm: confirmDebt,
    toView: ({ debt }) => ({ ...debt, apiUrl: view.apiUrl }),
    onView: setView,
  });
  useFreshViewOnReturn(view.apiUrl, setView);
  const { seller, testMode, status } = view;
  useEffect(() => {
    document.title = `${t(status === 'paid' ? 'pay.done' : 'pay.title')} · ${seller.name}`;
  }, [status]);
  if (view.kind === 'order' || status === 'closed' || status === 'paid') {
    return (
      <div class="page narrow">
        <main class="ticket single">
          <SellerLine name={seller.name} testMode={testMode} />
          <Ended view={view} isOffline={isOffline} />
        </main>
        <PageFooter supportEmail={seller.supportEmail} />
      </div>
    );
  }
  return (
    <div class="page">
      <main class="ticket">
        <DebtSummary view={view} />
        <div class="pane">
          <Standing view={view} isOffline={isOffline} onView={setView} />
        </div>
      </main>
      <PageFooter supportEmail={seller.supportEmail} />
    </div>
  );
}

/** What needs no form: nothing is owed, or it is an order's own payment, which is paid at its checkout. */
function Ended({ view, isOffline }: { view: PayView; isOffline: boolean }) {
  const { t } = useLocale();
  if (view.status === 'paid') {
    return <MessagePanel sign="seal" heading={t('pay.done')} text={t('pay.doneText')} />;
  }
  if (view.status === 'processing') return <ProcessingPanel isOffline={isOffline} />;
  if (view.status === 'requires_action' && view.actionUrl) return <ActionPanel url={view.actionUrl} />;
  if (view.kind === 'order' && view.status === 'open') {
    return (
      <MessagePanel heading={t('pay.failed')} text={t(view.retryUrl ? 'pay.failedText' : 'pay.failedAsk')}>
        {view.retryUrl && (
          <a class="primary" href={view.retryUrl}>
            {t('pay.retry')}
          </a>
        )}
      </MessagePanel>
    );
  }
  return <MessagePanel heading={t('pay.closed')} text={t('pay.closedText')} />;
}

interface StandingProps {
  view: DebtView;
  isOffline: boolean;
  onView(view: PayView): void;
}

function Standing({ view, isOffline, onView }: StandingProps) {
  const { t } = useLocale();
  if (view.status === 'processing') return <ProcessingPanel isOffline={isOffline} />;
  const take = (next: PayView) => {
    onView(next);
    if (next.status === 'requires_action' && next.actionUrl) window.location.assign(next.actionUrl);
  };
  const isWaiting = view.status === 'requires_action' && view.actionUrl !== null;
  return (
    <>
      {isWaiting && (
        <div class="pay-action">
          <ActionPanel url={view.actionUrl ?? ''} />
          <p class="or">{t('pay.or')}</p>
        </div>
      )}
      <PayForm view={view} isWaiting={isWaiting} onView={take} />
    </>
  );
}

/** Going back from the bank's page may show this page as it was left: the payment has moved on since. */
function useFreshViewOnReturn(apiUrl: string, onView: (view: PayView) => void): void {
  useEffect(() => {
    const refresh = async (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      const answer = await getDebt(apiUrl);
      if (answer.kind === 'ok') onView({ ...answer.data.debt, apiUrl });
    };
    window.addEventListener('pageshow', refresh);
    return () => window.removeEventListener('pageshow', refresh);
  }, [apiUrl]);
}

void mountPage<PayView>((view) => <PayPage initialView={view} />);
