import { useEffect, useState } from 'preact/hooks';
import { confirmCheckout } from '../api.ts';
import type { CheckoutView, SessionView } from '../view.ts';

const FIRST_PAUSE_MS = 2_000;
const PAUSE_GROWTH = 1.4;
const PAUSE_MAX_MS = 20_000;

/**
 * While a payment is undecided, asks again and again, at once and then ever more slowly, until the status is another.
 * Tells whether the last question got no answer.
 */
export function useConfirmation(view: CheckoutView, onView: (view: SessionView) => void): boolean {
  const [isOffline, setOffline] = useState(false);
  const isProcessing = view.status === 'processing';
  useEffect(() => {
    if (!isProcessing) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async (pauseMs: number) => {
      const answer = await confirmCheckout(view.apiUrl);
      if (isOver) return;
      setOffline(answer.kind === 'lost');
      if (answer.kind === 'ok' && answer.data.checkout.status !== 'processing') onView(answer.data.checkout);
      else timer = setTimeout(() => void ask(Math.min(pauseMs * PAUSE_GROWTH, PAUSE_MAX_MS)), pauseMs);
    };
    void ask(FIRST_PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isProcessing, view.apiUrl]);
  return isOffline;
}
