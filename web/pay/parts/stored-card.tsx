import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Answer, askForProof, openProof, payOwed } from '../../ui/api.ts';
import type { DebtView, PayView, ProofLink } from '../../ui/debt.ts';
import { useLocale } from '../../ui/locale.tsx';
import { Notice } from '../../ui/parts/notice.tsx';
import { usePaymentMethodText } from '../../ui/state/use-receipt-texts.ts';
import { payText } from '../text.ts';

interface StoredCardProps {
  view: DebtView;
  /** By which the buyer has come; null = by the payment's own link. */
  link: ProofLink | null;
  onLink(link: ProofLink | null): void;
  onView(view: PayView): void;
}

/**
 * Pays by the card that is stored for the subscription. Whoever has the link of this page may be anybody: its owner
 * asks for a link in their own mailbox, comes back by it, and presses the button.
 */
export function StoredCard({ view, link, onLink, onView }: StoredCardProps) {
  const { tCode, money } = useLocale();
  const [isSent, setSent] = useState(false);
  const { notice: told, isBusy, run, tell } = useAsking();
  const card = usePaymentMethodText(view.storedCard) ?? payText('pay.stored.card');
  const tellFailure = ({ failure }: DebtView) =>
    failure && tell(tCode('error.', failure.reason, failure.message));
  const take = (debt: PayView) => onView({ ...debt, apiUrl: view.apiUrl });

  const send = () => run(askForProof(view.apiUrl), () => setSent(true));
  const open = (word: string) =>
    run(
      openProof(view.apiUrl, word),
      ({ debt }) => {
        leaveLink();
        onLink(null);
        take(debt);
      },
      () => onLink({ link: word, isOpen: false }),
    );
  const pay = () =>
    run(
      payOwed(view.apiUrl, {}),
      ({ debt }) => {
        take(debt);
        if (debt.kind === 'owed' && debt.status === 'open') tellFailure(debt);
      },
      // The half hour is over: as if nothing had been proved.
      () => onView({ ...view, proof: 'required', storedCard: null }),
    );

  // Why the last try came to nothing, which was by this card.
  const { failure } = view;
  const last = failure && { text: tCode('error.', failure.reason, failure.message), count: 0 };
  if (view.proof === 'given') {
    return (
      <StoredSection notice={told ?? last} text={payText('pay.stored.given')}>
        <button type="button" class="primary" disabled={isBusy} aria-busy={isBusy} onClick={pay}>
          <span>{payText('pay.stored.pay', { amount: money(view.amount, view), card })}</span>
        </button>
      </StoredSection>
    );
  }
  if (link?.isOpen) {
    return (
      <StoredSection notice={told ?? last} text={payText('pay.stored.openText')}>
        <button
          type="button"
          class="primary"
          disabled={isBusy}
          aria-busy={isBusy}
          onClick={() => open(link.link)}
        >
          <span>{payText('pay.stored.open')}</span>
        </button>
      </StoredSection>
    );
  }
  const used = link && !told && !isSent ? { text: payText('pay.stored.used'), count: 0 } : null;
  return (
    <StoredSection
      notice={told ?? used}
      text={payText(isSent ? 'pay.stored.sent' : 'pay.stored.text')}
      isStatus={isSent}
    >
      <button type="button" class="secondary" disabled={isBusy} aria-busy={isBusy} onClick={send}>
        {payText(isSent ? 'pay.stored.again' : 'pay.stored.send')}
      </button>
    </StoredSection>
  );
}

interface Told {
  text: string;
  count: number;
}

interface StoredSectionProps {
  notice: Told | null;
  text: string;
  /** It says what has just come of a press. */
  isStatus?: boolean;
  children: ComponentChildren;
}

function StoredSection({ notice, text, isStatus = false, children }: StoredSectionProps) {
  return (
    <section class="pay-stored">
      <h2>{payText('pay.stored.title')}</h2>
      {notice && <Notice key={notice.count} text={notice.text} />}
      <p role={isStatus ? 'status' : undefined}>{text}</p>
      {children}
    </section>
  );
}

/** What a press comes to: nothing is asked twice at once, and each refusal is told. */
function useAsking() {
  const { t, tCode } = useLocale();
  const [notice, setNotice] = useState<Told | null>(null);
  const [isBusy, setBusy] = useState(false);
  const tell = (text: string) => setNotice((before) => ({ text, count: (before?.count ?? 0) + 1 }));

  const run = async <T,>(asking: Promise<Answer<T>>, done: (data: T) => void, unproved?: () => void) => {
    setBusy(true);
    setNotice(null);
    const answer = await asking;
    setBusy(false);
    if (answer.kind === 'lost') return tell(t('notice.lost'));
    if (answer.kind === 'refused') {
      if (answer.code === 'proof_required') unproved?.();
      return tell(tCode('error.', answer.code, answer.message));
    }
    done(answer.data);
  };
  return { notice, isBusy, run, tell };
}

/** The link is used: the address is that of the page again, for a reload and for whoever looks at it. */
function leaveLink(): void {
  const [path = ''] = window.location.pathname.split('/prove/');
  window.history.replaceState(null, '', path);
}
