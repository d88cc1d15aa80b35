import { useEffect } from 'preact/hooks';
import { HEIGHT_MAX } from '../../../embed/src/protocol.ts';
import type { SessionView } from '../../ui/view.ts';
import { frameMode, listen, tell } from './channel.ts';

/** A payment that the bank takes longer over is under way for the shop: its result comes later. */
const UNDER_WAY_MS = 15_000;

/** Tells the page around the frame how the checkout stands, and how high it is. */
export function useFrame(view: SessionView): void {
  useEffect(() => {
    if (frameMode() === null) return;
    tell('loaded', { path: window.location.pathname });
    const ends = [watchHeight(), watchEscape(), listenForFocus()];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  useEffect(() => tellStanding(view), [view.status]);
}

function tellStanding(view: SessionView): (() => void) | undefined {
  if (view.status === 'expired' || view.status === 'unavailable') tell('error', { code: view.status });
  if (view.status === 'paid') {
    const { orderId, orderNumber, reference, redirectUrl } = view.receipt;
    tell('complete', {
      orderId,
      orderNumber,
      reference,
      status: 'paid',
      redirectUrl: toAbsolute(redirectUrl),
    });
    tell('reveal', { top: 0 });
  }
  if (view.status !== 'processing' || !view.order) return undefined;
  const { id: orderId, number: orderNumber, reference } = view.order;
  const told = { orderId, orderNumber, reference, status: 'processing' as const, redirectUrl: null };
  const timer = setTimeout(() => tell('complete', told), UNDER_WAY_MS);
  return () => clearTimeout(timer);
}

function toAbsolute(url: string | null): string | null {
  return url === null ? null : new URL(url, window.location.href).href;
}

/** Once a frame at most, in whole pixels: two sides that measure each other's fractions would never rest. */
function watchHeight(): () => void {
  const app = document.getElementById('app');
  if (!app) return () => {};
  let told = 0;
  let frame = 0;
  const observer = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const height = Math.min(Math.ceil(app.getBoundingClientRect().height), HEIGHT_MAX);
      if (height !== told) tell('height', { height });
      told = height;
    });
  });
  observer.observe(app);
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
  };
}

function watchEscape(): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) tell('escape');
  };
  window.addEventListener('keydown', press);
  return () => window.removeEventListener('keydown', press);
}

function listenForFocus(): () => void {
  return listen(({ type }) => {
    const heading = type === 'focus' ? document.querySelector('h1') : null;
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });
}
