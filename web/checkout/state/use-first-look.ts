import { useEffect } from 'preact/hooks';
import { requestQuote } from '../../ui/api.ts';
import { toFormBody } from '../../ui/form.ts';
import type { CheckoutView, FormValues } from '../../ui/view.ts';
import { toKeptQuery } from '../frame/channel.ts';

/** A page that is loaded ahead, or closed at once, was looked at by nobody. */
const LOOK_MS = 1_000;

/**
 * Tells the server of a page that has been in sight for a moment: with that call its session comes into being. What
 * the link brought along is kept there from then on, and leaves the address.
 */
export function useFirstLook({ apiUrl, isUnseen, ...view }: CheckoutView, read: () => FormValues): void {
  useEffect(() => {
    if (!isUnseen) return;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = async () => {
      document.removeEventListener('visibilitychange', watch);
      const answer = await requestQuote(apiUrl, toFormBody(read(), view), leaving.signal);
      if (answer.kind !== 'ok') return;
      window.history.replaceState(null, '', window.location.pathname + toKeptQuery());
    };
    const watch = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = setTimeout(() => void tell(), LOOK_MS);
    };
    document.addEventListener('visibilitychange', watch);
    watch();
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', watch);
      leaving.abort();
    };
  }, [apiUrl, isUnseen]);
}
