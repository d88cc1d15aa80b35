import { useEffect, useRef, useState } from 'preact/hooks';

interface Authentication {
  apiUrl: string;
  /** As the page's view says it. */
  status: string;
  /** The processor says what it wants when it is asked, and its script may show that in the page. */
  isAsked: boolean;
  /** Leads to a page of the processor's. */
  goTo?(url: string): void;
  /** Shows what has become of it. */
  onDone(): Promise<void>;
}

/**
 * Shows what the processor asks of the buyer: at once where they have just pressed the button, else when they ask for it.
 * Returns what leads on from the page of somebody who waits; undefined where nothing is asked so.
 */
export function useAuthentication({
  apiUrl,
  status,
  isAsked,
  goTo = (url) => window.location.assign(url),
  onDone,
}: Authentication): (() => void) | undefined {
  const [isBusy, setBusy] = useState(false);
  const wasOpen = useRef(status === 'open');
  const start = () => {
    if (isBusy) return;
    setBusy(true);
    import('./authenticate.ts')
      .then(({ authenticate }) => authenticate(apiUrl, goTo))
      .then((isBack) => (isBack ? onDone() : undefined))
      // The button is still there: it can be pressed again.
      .catch(() => {})
      .finally(() => setBusy(false));
  };
  useEffect(() => {
    if (isAsked && wasOpen.current) start();
    wasOpen.current = status === 'open';
  }, [isAsked, status]);
  return isAsked ? start : undefined;
}
