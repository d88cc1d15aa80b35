/**
 * The way from a frame to the bank's page and back. A window of its own leads there and closes when it comes back, and
 * the frame asks for the result; where no window opens, the whole page goes, and back to where the buyer came from.
 */
import { useEffect, useRef } from 'preact/hooks';
import { confirmCheckout } from '../../ui/api.ts';
import { useLocale } from '../../ui/locale.tsx';
import { MessagePanel } from '../../ui/parts/message-panel.tsx';
import type { SessionView } from '../../ui/view.ts';
import { canOpenBankWindow, type FrameView, frameMode, isInFrame, tell } from './channel.ts';

const WINDOW = 'popup,width=560,height=720';
const ASK_MS = 1_500;

/** Leads the buyer to the bank. In a frame a press comes before it, or a browser opens no window. */
export function goToBank(url: string): void {
  if (frameMode() === null) {
    window.location.assign(url);
    return;
  }
  const { pathname } = window.location;
  const opened = canOpenBankWindow() ? window.open('about:blank', '_blank', WINDOW) : null;
  if (!opened) {
    tell('leave', { path: pathname });
    return;
  }
  // The bank's page has no hold on ours.
  opened.opener = null;
  opened.location.replace(`${pathname}?svc-frame=bank`);
}

/** While the buyer is at the bank in another window, asks whether it has decided. */
export function useBankAnswer(view: SessionView, onView: (view: SessionView) => void): void {
  const isAway = frameMode() !== null && view.status === 'requires_action';
  const { apiUrl } = view;
  useEffect(() => {
    if (!isAway) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      const answer = await confirmCheckout(apiUrl);
      if (isOver) return;
      const next = answer.kind === 'ok' ? answer.data.checkout : null;
      if (next && next.status !== 'requires_action') onView(next);
      else timer = setTimeout(() => void ask(), ASK_MS);
    };
    timer = setTimeout(() => void ask(), ASK_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isAway, apiUrl]);
}

export interface Journey {
  /** `choice`: the buyer pays here by what the frame did not offer, however often it takes them. */
  kind: 'window' | 'page' | 'choice';
  returnUrl: string | null;
  /** The bank's page comes next. */
  isSetOut: boolean;
}

const toKey = () => `counterfoil.journey:${window.location.pathname}`;

/** The journey that this page is a stage of; it is kept in the tab, since a bank leads back to the bare address. */
export function readJourney(frame: FrameView | null, { status }: SessionView): Journey | null {
  if (isInFrame()) return null;
  const whole = status === 'open' ? 'choice' : 'page';
  const kind = frame?.mode === 'bank' ? 'window' : frame?.returnUrl ? whole : null;
  try {
    if (kind) {
      const begun = { kind, returnUrl: frame?.returnUrl ?? null };
      sessionStorage.setItem(toKey(), JSON.stringify(begun));
      return { ...begun, isSetOut: true } as Journey;
    }
    const kept = sessionStorage.getItem(toKey());
    // Written by this very page of ours.
    return kept === null ? null : { ...(JSON.parse(kept) as Journey), isSetOut: false };
  } catch {
    return null;
  }
}

/** Answers whether the page is only passed through. */
export function useJourney(journey: Journey | null, view: SessionView): boolean {
  const isArriving = useRef(true);
  useEffect(() => {
    if (!journey) return;
    const { kind, returnUrl } = journey;
    // What is asked of a buyer who pays here later is shown as on any page.
    const isSetOut = journey.isSetOut && isArriving.current;
    isArriving.current = false;
    if (view.status === 'requires_action' && isSetOut) {
      if (view.action) window.location.replace(view.action.url);
    } else if (kind === 'window') window.close();
    else if (returnUrl && isOver(kind, view.status)) {
      sessionStorage.removeItem(toKey());
      window.location.replace(withOrder(returnUrl, view));
    }
  }, [view.status]);
  return journey?.kind === 'window';
}

/** A bank's no leads back to the frame, but not who came to choose. */
const isOver = (kind: Journey['kind'], status: SessionView['status']): boolean =>
  kind === 'choice' ? status === 'paid' : status !== 'requires_action' && status !== 'processing';

function withOrder(returnUrl: string, view: SessionView): string {
  const url = new URL(returnUrl);
  const orderId = view.status === 'paid' ? view.receipt.orderId : 'order' in view ? view.order?.id : null;
  if (orderId) url.searchParams.set('svc-order-id', orderId);
  return url.href;
}

/** What is seen where a browser closes no window by itself. */
export function BankWindow() {
  const { t } = useLocale();
  return (
    <div class="page narrow">
      <main class="ticket single">
        <MessagePanel sign="seal" heading={t('frame.windowTitle')} text={t('frame.windowText')} />
      </main>
    </div>
  );
}
