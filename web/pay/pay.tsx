/** Entry of the page behind the link in a mail: what a subscription owes is paid, authenticated, or paid otherwise. */
import { useEffect, useState } from 'preact/hooks';
import { confirmDebt, getDebt } from '../ui/api.ts';
import type { DebtView } from '../ui/debt.ts';
import { useLocale } from '../ui/locale.tsx';
import { mountPage } from '../ui/mount.tsx';
import { MessagePanel } from '../ui/parts/message-panel.tsx';
import { PageFooter, SellerLine } from '../ui/parts/seller-line.tsx';
import { ActionPanel, ProcessingPanel } from '../ui/parts/status-panels.tsx';
import { useConfirmation } from '../ui/state/use-confirmation.ts';
import { DebtSummary } from './parts/debt-summary.tsx';
import { PayForm } from './pay-form.tsx';
import { PayReceipt } from './pay-receipt.tsx';
import '../ui/styles/checkout.css';
import '../ui/styles/receipt.css';
import './styles/pay.css';

function PayPage({ initialView }: { initialView: DebtView }) {
  const { t } = useLocale();
  const [view, setView] = useState(initialView);
  const isOffline = useConfirmation<{ debt: DebtView }, DebtView>({
    view,
    confirm: confirmDebt,
    toView: ({ debt }) => ({ ...debt, apiUrl: view.apiUrl }),
    onView: setView,
  });
  useFreshViewOnReturn(view.apiUrl, setView);
  const { seller, testMode, receipt } = view;
  useEffect(() => {
    document.title = `${t(receipt ? 'pay.done' : 'pay.title')} · ${seller.name}`;
  }, [receipt]);
  if (receipt) return <PayReceipt view={view} receipt={receipt} isNew={initialView !== view} />;
  if (view.status === 'closed' || view.status === 'paid') {
    return (
      <div class="page narrow">
        <main class="ticket single">
          <SellerLine name={seller.name} testMode={testMode} />
          <MessagePanel heading={t('pay.closed')} text={t('pay.closedText')} />
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

interface StandingProps {
  view: DebtView;
  isOffline: boolean;
  onView(view: DebtView): void;
}

function Standing({ view, isOffline, onView }: StandingProps) {
  const { t } = useLocale();
  if (view.status === 'processing') return <ProcessingPanel isOffline={isOffline} />;
  const take = (next: DebtView) => {
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
function useFreshViewOnReturn(apiUrl: string, onView: (view: DebtView) => void): void {
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

void mountPage<DebtView>((view) => <PayPage initialView={view} />);
