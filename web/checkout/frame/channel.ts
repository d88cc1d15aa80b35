/**
 * The line to the shop's page around the checkout, where there is one: it is told to that page alone whose origin the
 * server has found listed. In a frame nothing is kept in the browser: its address is all that it needs.
 */
import {
  type FromFrame,
  type FromPage,
  type Incoming,
  readMessage,
  type Theme,
  toMessage,
} from '../../../embed/src/protocol.ts';

/** What the server says of the frame; null for a page that stands by itself. */
export interface FrameView {
  mode: 'overlay' | 'embed' | 'bank' | null;
  origin: string | null;
  theme: Theme | null;
  returnUrl: string | null;
}

/** What a page's address keeps when all else leaves it. */
const KEPT_PARAMETERS = ['svc-frame', 'svc-origin', 'svc-language', 'svc-theme'];

const waiting: unknown[] = [];
const listeners = new Set<(message: Incoming<FromPage>) => void>();
let port: MessagePort | null = null;
let mode: 'overlay' | 'embed' | null = null;
let canOpenWindows = true;

export function isInFrame(): boolean {
  return window.parent !== window;
}

/** Null for a page that stands by itself. */
export function frameMode(): 'overlay' | 'embed' | null {
  return mode;
}

/** A page that is isolated cannot hold on to a window that its frame opens. */
export function canOpenBankWindow(): boolean {
  return canOpenWindows && !window.matchMedia('(pointer: coarse)').matches;
}

/** Says hello before anything is drawn: the page around does not wait for long. */
export function openFrame(): FrameView | null {
  const json = document.getElementById('state')?.textContent;
  // The state is written by our own server for this very entry.
  const frame = json ? ((JSON.parse(json) as { frame?: FrameView | null }).frame ?? null) : null;
  if (frame?.theme) applyTheme(frame.theme);
  if (!frame || !isInFrame() || (frame.mode !== 'overlay' && frame.mode !== 'embed')) return frame;
  mode = frame.mode;
  document.documentElement.dataset.frame = mode;
  document.addEventListener('click', leadOutside, true);
  if (frame.origin !== null) sayHello(frame.origin);
  return frame;
}

function sayHello(origin: string): void {
  const connect = (event: MessageEvent) => {
    if (event.source !== window.parent || event.origin !== origin) return;
    const message = readMessage<FromPage>(event.data);
    const [given] = event.ports;
    if (message?.type !== 'init' || !given) return;
    window.removeEventListener('message', connect);
    if (message.data.theme) applyTheme(message.data.theme);
    canOpenWindows = !message.data.isIsolated;
    port = given;
    port.onmessage = ({ data }) => {
      const told = readMessage<FromPage>(data);
      if (told) for (const listener of [...listeners]) listener(told);
    };
    for (const one of waiting.splice(0)) port.postMessage(one);
  };
  window.addEventListener('message', connect);
  window.parent.postMessage(toMessage('hello'), origin);
}

/** Tells the page around; in a page that stands by itself nobody. */
export function tell<Type extends keyof FromFrame>(type: Type, data?: FromFrame[Type]): void {
  if (mode === null) return;
  const message = toMessage(type, data);
  if (port) port.postMessage(message);
  else waiting.push(message);
}

/** Answers how to listen no more. */
export function listen(listener: (message: Incoming<FromPage>) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function applyTheme(theme: Theme): void {
  document.documentElement.style.colorScheme = theme === 'light' || theme === 'dark' ? theme : '';
}

/** The part of the page's address that a reload needs. */
export function toKeptQuery(): string {
  const given = new URLSearchParams(window.location.search);
  const kept = KEPT_PARAMETERS.flatMap((name) => given.getAll(name).map((value) => [name, value]));
  return kept.length > 0 ? `?${new URLSearchParams(kept)}` : '';
}

/** A document or a file opens beside the shop's page: in the frame it would take the checkout's place. */
function leadOutside({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.target || !/^https?:$/.test(link.protocol)) return;
  link.target = '_blank';
  link.rel = 'noopener';
}
