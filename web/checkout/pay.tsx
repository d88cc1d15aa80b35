/** Entry of the page behind the link in a mail: what a subscription owes is paid, authenticated, or paid otherwise. */
import { useEffect, useState } from 'preact/hooks';
import { confirmDebt } from './api.ts';
import type { DebtView } from './debt.ts';
import { useLocale } from './locale.tsx';
import { mountPage } from './mount.tsx';
import { MessagePanel } from './parts/message-panel.tsx';
import { PageFooter, SellerLine } from './parts/seller-line.tsx';
import { ActionPanel, ProcessingPanel } from './parts/status-panels.tsx';
import { PayForm } from './pay-form.tsx';
import './styles/checkout.css';

const ASK_AGAIN_MS = 5_000;

function PayPage({ initialView }: { initialView: DebtView }) {
  const [view, setView] = useState(initialView);
  useOutcome(view, setView);
  const onView = (next: DebtView) => {
    setView(next);
    if (next.status === 'requires_action' && next.actionUrl) window.location.assign(next.actionUrl);
  };
  return (
    <div class="page narrow">
      <main class="ticket single">
        <SellerLine name={view.seller.name} testMode={view.testMode} />
        <Debt view={view} onView={onView} />
      </main>
      <PageFooter supportEmail={view.seller.supportEmail} />
    </div>
  );
}

function Debt({ view, onView }: { view: DebtView; onView(view: DebtView): void }) {
  const { t, tCode } = useLocale();
  if (view.status === 'paid') return <MessagePanel heading={t('pay.done')} text={t('pay.doneText')} />;
  if (view.status === 'closed') return <MessagePanel heading={t('pay.closed')} text={t('pay.closedText')} />;
  if (view.status === 'processing') return <ProcessingPanel isOffline={false} />;
  const { failure, payments } = view;
  return (
    <>
      <h1>{t('pay.title', { name: view.productName })}</h1>
      <p>{t(payments === 1 ? 'pay.text.one' : 'pay.text.other', { count: payments })}</p>
      {failure && (
        <p class="hint">
          {t('pay.declined', { reason: tCode('decline.', failure.reason, failure.message) })}
        </p>
      )}
      {view.status === 'requires_action' && view.actionUrl && <ActionPanel url={view.actionUrl} />}
      <PayForm view={view} onView={onView} />
    </>
  );
}

/** While the bank has not answered, asks again and again. */
function useOutcome(view: DebtView, onView: (view: DebtView) => void): void {
  useEffect(() => {
    if (view.status !== 'processing') return;
    const timer = setInterval(async () => {
      const answer = await confirmDebt(view.apiUrl);
      if (answer.kind === 'ok') onView({ ...answer.data.debt, apiUrl: view.apiUrl });
    }, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [view.status, view.apiUrl]);
}

void mountPage<DebtView>((view) => <PayPage initialView={view} />);
