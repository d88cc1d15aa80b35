import { useEffect, useState } from 'preact/hooks';
import type { Answer } from '../api.ts';

const FIRST_PAUSE_MS = 2_000;
const PAUSE_GROWTH = 1.4;
const PAUSE_MAX_MS = 20_000;

interface Confirmation<Data, View extends { status: string }> {
  view: { status: string; apiUrl: string };
  confirm(apiUrl: string): Promise<Answer<Data>>;
  toView(data: Data): View;
  onView(view: View): void;
}

/**
 * While a payment is undecided, asks again and again, at once and then ever more slowly, until the status is another.
 * Tells whether the last question got no answer.
 */
export function useConfirmation<Data, View extends { status: string }>({
  view: { status, apiUrl },
  confirm,
  toView,
  onView,
}: Confirmation<Data, View>): boolean {
  const [isOffline, setOffline] = useState(false);
  const isProcessing = status === 'processing';
  useEffect(() => {
    if (!isProcessing) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async (pauseMs: number) => {
      const answer = await confirm(apiUrl);
      if (isOver) return;
      setOffline(answer.kind === 'lost');
      const view = answer.kind === 'ok' ? toView(answer.data) : null;
      if (view && view.status !== 'processing') onView(view);
      else timer = setTimeout(() => void ask(Math.min(pauseMs * PAUSE_GROWTH, PAUSE_MAX_MS)), pauseMs);
    };
    void ask(FIRST_PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isProcessing, apiUrl]);
  return isOffline;
}
