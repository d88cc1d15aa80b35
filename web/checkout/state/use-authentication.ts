import { useEffect, useRef, useState } from 'preact/hooks';
import type { CheckoutView, SessionView } from '../../ui/view.ts';
import { frameMode } from '../frame/channel.ts';
import { goToBank } from '../frame/journey.tsx';

/**
 * Shows what the processor asks of the buyer: at once where they have just pressed the button, else when they ask for it.
 * Returns what leads on from the page of somebody who waits; undefined where a link does.
 */
export function useAuthentication(
  view: CheckoutView,
  onView: (view: SessionView) => void,
): ((url: string) => void) | undefined {
  const [isBusy, setBusy] = useState(false);
  const isAsked = view.status === 'requires_action' && view.action?.isAsked === true;
  const wasOpen = useRef(view.status === 'open');
  const start = () => {
    if (isBusy) return;
    setBusy(true);
    import('../processor/authenticate.ts')
      .then(({ authenticate }) => authenticate(view.apiUrl))
      .then((fresh) => fresh && onView(fresh))
      // The button is still there: it can be pressed again.
      .catch(() => {})
      .finally(() => setBusy(false));
  };
  useEffect(() => {
    if (isAsked && wasOpen.current) start();
    wasOpen.current = view.status === 'open';
  }, [isAsked, view.status]);
  if (isAsked) return start;
  return frameMode() === null ? undefined : goToBank;
}
