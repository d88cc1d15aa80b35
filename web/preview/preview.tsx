/**
 * Entry of the preview in the dashboard: the checkout as it would look, to be looked at alone. The page around it may
 * send a look that was not saved yet.
 */
import { useEffect, useState } from 'preact/hooks';
import { CheckoutPage } from '../checkout/checkout-page.tsx';
import { applyBranding, type Branding } from '../ui/branding.ts';
import { mountPage } from '../ui/mount.tsx';
import type { CheckoutView } from '../ui/view.ts';
import '../ui/styles/checkout.css';

function Preview({ initialView }: { initialView: CheckoutView }) {
  const [branding, setBranding] = useState(initialView.seller.branding);
  useEffect(() => {
    const take = (event: MessageEvent) => {
      if (event.origin !== window.location.origin || event.source !== window.parent) return;
      const sent = readBranding(event.data);
      if (sent) setBranding((before) => ({ ...before, ...sent }));
    };
    window.addEventListener('message', take);
    if (window.parent !== window)
      window.parent.postMessage({ source: 'counterfoil', type: 'preview' }, window.location.origin);
    return () => window.removeEventListener('message', take);
  }, []);
  useEffect(() => applyBranding(branding), [branding]);
  const view = { ...initialView, seller: { ...initialView.seller, branding } };
  // Nothing in it can be pressed, so that nothing is asked or sent.
  return (
    <div inert>
      <CheckoutPage view={view} onView={() => {}} />
    </div>
  );
}

const PICTURE = /\/files\/[0-9a-f-]{36}$/;

/** What of a message is a look; null = it is none. */
function readBranding(data: unknown): Partial<Branding> | null {
  if (typeof data !== 'object' || data === null || !('branding' in data)) return null;
  const { branding } = data;
  if (typeof branding !== 'object' || branding === null) return null;
  const sent: Record<string, unknown> = { ...branding };
  for (const name of ['logo', 'icon'] as const) {
    // A picture that lies elsewhere is asked of nobody.
    if (name in sent) sent[name] = PICTURE.exec(String(sent[name] ?? ''))?.[0] ?? null;
  }
  if ('theme' in sent && !['auto', 'light', 'dark'].includes(String(sent.theme))) delete sent.theme;
  // Of our own origin's page, and every field that is drawn as more than text was looked at above.
  return sent as Partial<Branding>;
}

void mountPage<CheckoutView>((view) => <Preview initialView={view} />);
