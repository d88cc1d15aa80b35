import { useEffect, useRef } from 'preact/hooks';
import { requestQuote } from '../../ui/api.ts';
import { toFormBody } from '../../ui/form.ts';
import type { CheckoutView } from '../../ui/view.ts';
import type { PricedForm } from './use-priced-form.ts';

/** After the last key press. */
const PAUSE_MS = 800;

/**
 * Tells the server of an address, and of a wish to be reminded: no price hangs on them, so that nothing on the page
 * waits for the answer.
 */
export function useTypedEmail(view: CheckoutView, { values, read }: PricedForm): void {
  const email = values.email.trim();
  const said = `${email} ${values.remind}`;
  const known = useRef(said);
  useEffect(() => {
    if (view.status !== 'open' || said === known.current || !/^\S+@\S+\.\S+$/.test(email)) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      known.current = said;
      void requestQuote(view.apiUrl, toFormBody(read(), view), leaving.signal);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [said, view.status]);
}
