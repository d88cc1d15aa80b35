/** The page behind the link of a subscription's card: another method is given, and charged from then on. */
import { useEffect, useState } from 'preact/hooks';
import { confirmCard, giveCard } from '../ui/api.ts';
import type { CardPageView } from '../ui/debt.ts';
import { useLocale } from '../ui/locale.tsx';
import { MessagePanel } from '../ui/parts/message-panel.tsx';
import { PageFooter, SellerLine } from '../ui/parts/seller-line.tsx';
import { ActionPanel, ProcessingPanel } from '../ui/parts/status-panels.tsx';
import { useAuthentication } from '../ui/processor/use-authentication.ts';
import { useConfirmation } from '../ui/state/use-confirmation.ts';
import { usePaymentMethodText } from '../ui/state/use-receipt-texts.ts';
import { PayForm, type Sending } from './pay-form.tsx';
import { payText } from './text.ts';

export function CardPage({ initialView }: { initialView: CardPageView }) {
  const [view, setView] = useState(initialView);
  const { apiUrl, status, seller, testMode } = view;
  const take = (next: CardPageView) => {
    setView({ ...next, apiUrl });
    const isElsewhere = next.status === 'requires_action' && !next.isActionAsked;
    if (isElsewhere && next.actionUrl) window.location.assign(next.actionUrl);
  };
  const isOffline = useConfirmation<{ card: CardPageView }, CardPageView>({
    view,
    confirm: confirmCard,
    toView: ({ card }) => ({ ...card, apiUrl }),
    onView: setView,
  });
  const onGo = useAuthentication({
    ...{ apiUrl, status },
    isAsked: status === 'requires_action' && view.isActionAsked,
    onDone: async () => {
      const answer = await confirmCard(apiUrl);
      // An answer that is lost is asked for again until it comes.
      take(answer.kind === 'ok' ? answer.data.card : { ...view, status: 'processing' });
    },
  });
  const title = `${payText('cardPage.title')} · ${seller.name}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  // A page that was opened behind it takes another one.
  const isDone = view !== initialView && status === 'open' && view.isTaken;
  return (
    <div class="page narrow">
      <main class="ticket single">
        <SellerLine seller={seller} testMode={testMode} />
        {status === 'closed' && (
          <MessagePanel heading={payText('cardPage.closed')} text={payText('cardPage.closedText')} />
        )}
        {isDone && <Done view={view} />}
        {status !== 'closed' && !isDone && (
          <>
            <Charged view={view} />
            {status === 'processing' && <ProcessingPanel isOffline={isOffline} />}
            {status === 'requires_action' && <ActionPanel url={view.actionUrl ?? ''} onGo={onGo} />}
            {status !== 'processing' && <Giving view={view} onView={take} />}
          </>
        )}
      </main>
      <PageFooter seller={seller} />
    </div>
  );
}

function Charged({ view }: { view: CardPageView }) {
  const card = usePaymentMethodText(view.method);
  return (
    <div class="headline">
      <h1>{payText('cardPage.title')}</h1>
      <p class="headline-terms">{payText('cardPage.text', { name: view.productName })}</p>
      {card && <p class="headline-terms">{payText('cardPage.current', { card })}</p>}
      <Owed view={view} />
    </div>
  );
}

function Done({ view }: { view: CardPageView }) {
  const card = usePaymentMethodText(view.method) ?? payText('cardPage.title');
  const text = payText('cardPage.doneText', { name: view.productName, card });
  return (
    <MessagePanel sign="seal" heading={payText('cardPage.done')} text={text}>
      <Owed view={view} />
    </MessagePanel>
  );
}

/** What could not be charged, and where it is paid. */
function Owed({ view }: { view: CardPageView }) {
  const { money } = useLocale();
  if (!view.owed) return null;
  return (
    <p class="headline-terms">
      <a href={view.owed.url}>{payText('cardPage.owed', { amount: money(view.owed.amount, view) })}</a>
    </p>
  );
}

function Giving({ view, onView }: { view: CardPageView; onView(view: CardPageView): void }) {
  const { apiUrl, status } = view;
  const send: Sending = async ({ card, payment }) => {
    const answer = await giveCard(apiUrl, { ...(card && { card }), ...(payment && { payment }) });
    if (answer.kind !== 'ok') return answer;
    const { card: next } = answer.data;
    const failure = next.status === 'open' ? next.failure : null;
    return { kind: 'ok', data: { failure, show: () => onView(next) } };
  };
  return (
    <PayForm
      payable={{ ...view, amount: 0, fingerprint: null }}
      isSecond={status === 'requires_action'}
      keeping="yes"
      label={payText('cardPage.submit')}
      send={send}
    />
  );
}
