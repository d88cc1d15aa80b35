/** Entry of the page behind a payment's link: what a subscription owes is paid, authenticated, or paid otherwise. */
import { useEffect, useState } from 'preact/hooks';
import { confirmOwed, getDebt } from '../ui/api.ts';
import type { CardPageView, DebtView, PayView, ProofLink } from '../ui/debt.ts';
import { useLocale } from '../ui/locale.tsx';
import { mountPage } from '../ui/mount.tsx';
import { AwaitedTransfer } from '../ui/parts/awaited-transfer.tsx';
import { MessagePanel } from '../ui/parts/message-panel.tsx';
import { PageFooter, SellerLine } from '../ui/parts/seller-line.tsx';
import { ActionPanel, ProcessingPanel } from '../ui/parts/status-panels.tsx';
import { useAuthentication } from '../ui/processor/use-authentication.ts';
import { useConfirmation } from '../ui/state/use-confirmation.ts';
import { CardPage } from './card-page.tsx';
import { OrderPayment } from './order-payment.tsx';
import { DebtSummary } from './parts/debt-summary.tsx';
import { StoredCard } from './parts/stored-card.tsx';
import { PayForm, toSending } from './pay-form.tsx';
import { loadPayTexts, payText } from './text.ts';
import '../ui/styles/checkout.css';
import '../ui/styles/receipt.css';
import './styles/pay.css';
import '../ui/styles/print.css';

/** Whoever has come by a mailed link has its word with them. */
type PageState = PayView & { proofLink?: ProofLink; portal?: string | null };

function PayPage({ initialView }: { initialView: PageState }) {
  const [view, setView] = useState<PayView>(initialView);
  const [proofLink, setProofLink] = useState(initialView.proofLink ?? null);
  const isOffline = useConfirmation<{ debt: PayView }, PayView>({
    view,
    confirm: confirmOwed,
    toView: ({ debt }) => ({ ...debt, apiUrl: view.apiUrl }),
    onView: setView,
  });
  useFreshViewOnReturn(view.apiUrl, setView);
  const { seller, testMode, status } = view;
  const take = (next: PayView) => {
    setView(next);
    const isElsewhere = next.status === 'requires_action' && !next.isActionAsked;
    if (isElsewhere && next.actionUrl) window.location.assign(next.actionUrl);
  };
  const onGo = useAuthentication({
    ...{ apiUrl: view.apiUrl, status },
    isAsked: status === 'requires_action' && view.isActionAsked,
    onDone: async () => {
      const answer = await confirmOwed(view.apiUrl);
      const { apiUrl } = view;
      // An answer that is lost is asked for again until it comes.
      setView(answer.kind === 'ok' ? { ...answer.data.debt, apiUrl } : { ...view, status: 'processing' });
    },
  });
  const title = `${payText(status === 'paid' ? 'pay.done' : 'pay.title')} · ${seller.name}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (view.kind === 'order' && status === 'open' && view.purchase) {
    return (
      <div class="page">
        <OrderPayment view={view} purchase={view.purchase} onView={take} />
        <PageFooter seller={seller} />
      </div>
    );
  }
  if (view.kind === 'order' || status === 'closed' || status === 'paid') {
    return (
      <div class="page narrow">
        <main class="ticket single">
          <SellerLine seller={seller} testMode={testMode} />
          <Ended
            view={view}
            portal={initialView.portal ?? null}
            isOffline={isOffline}
            onGo={onGo}
            onView={setView}
          />
        </main>
        <PageFooter seller={seller} />
      </div>
    );
  }
  return (
    <div class="page">
      <main class="ticket">
        <DebtSummary view={view} />
        <div class="pane">
          <Standing
            view={view}
            isOffline={isOffline}
            proofLink={proofLink}
            onProofLink={setProofLink}
            onGo={onGo}
            onView={take}
          />
        </div>
      </main>
      <PageFooter seller={seller} />
    </div>
  );
}

interface EndedProps {
  view: PayView;
  portal: string | null;
  isOffline: boolean;
  onGo: (() => void) | undefined;
  onView(view: PayView): void;
}

/** What needs no form: nothing is owed, or the bank has the word. */
function Ended({ view, portal, isOffline, onGo, onView }: EndedProps) {
  const { t } = useLocale();
  // Whoever has come from there to the bank goes back to it; who has not is asked who they are.
  const manage =
    view.kind === 'owed' && portal !== null ? (
      <a class="secondary" href={`${portal}/subscriptions/${view.orderNumber}`}>
        {t('receipt.manage')}
      </a>
    ) : null;
  if (view.status === 'paid') {
    return (
      <MessagePanel sign="seal" heading={payText('pay.done')} text={payText('pay.doneText')}>
        {manage}
      </MessagePanel>
    );
  }
  if (view.status === 'processing' && view.transfer)
    return <AwaitedTransfer transfer={view.transfer} isAlone />;
  if (view.status === 'processing') return <ProcessingPanel isOffline={isOffline} />;
  if (view.status === 'requires_action' && view.actionUrl) {
    // The form stops what waits, once it is sent.
    const onOther = () => onView({ ...view, status: 'open', actionUrl: null });
    const canPay = view.kind === 'order' && view.purchase !== null;
    return <ActionPanel url={view.actionUrl} onGo={onGo} {...(canPay && { onOther })} />;
  }
  if (view.status === 'unavailable') {
    return <MessagePanel heading={t('unavailable.title')} text={t('unavailable.text')} />;
  }
  return (
    <MessagePanel heading={payText('pay.closed')} text={payText('pay.closedText')}>
      {manage}
    </MessagePanel>
  );
}

interface StandingProps {
  view: DebtView;
  isOffline: boolean;
  proofLink: ProofLink | null;
  onProofLink(link: ProofLink | null): void;
  /** Shows in the page what the processor asks; undefined where a link leads to it. */
  onGo: (() => void) | undefined;
  onView(view: PayView): void;
}

function Standing({ view, isOffline, proofLink, onProofLink, onGo, onView }: StandingProps) {
  if (view.status === 'processing' && view.transfer) return <AwaitedTransfer transfer={view.transfer} />;
  if (view.status === 'processing') return <ProcessingPanel isOffline={isOffline} />;
  const isWaiting = view.status === 'requires_action' && view.actionUrl !== null;
  // Whoever comes from their mailbox has come for the stored card.
  const isOwner = view.proof === 'given' || proofLink !== null;
  const hasStored = !isWaiting && view.proof !== 'none';
  const stored = (
    <StoredCard key="stored" view={view} link={proofLink} onLink={onProofLink} onView={onView} />
  );
  return (
    <>
      {isWaiting && (
        <div class="pay-action">
          <ActionPanel url={view.actionUrl ?? ''} onGo={onGo} />
          <p class="or">{payText('pay.or')}</p>
        </div>
      )}
      {hasStored && isOwner && stored}
      {hasStored && isOwner && <p class="or">{payText('pay.or')}</p>}
      <PayForm
        payable={{ ...view, fingerprint: null }}
        isSecond={isWaiting || (hasStored && isOwner)}
        keeping="asked"
        send={toSending(view.apiUrl, onView)}
      />
      {hasStored && !isOwner && <p class="or">{payText('pay.or')}</p>}
      {hasStored && !isOwner && stored}
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

void mountPage<PageState | CardPageView>(
  (view) => (view.kind === 'card' ? <CardPage initialView={view} /> : <PayPage initialView={view} />),
  { loadAlso: loadPayTexts },
);
