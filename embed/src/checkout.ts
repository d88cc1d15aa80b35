/** One checkout on the page, from its opening to its end: what it tells, and what it can be told. */
import { connect } from './connect.ts';
import { type OpenOptions, toCheckoutUrl } from './options.ts';
import { type Place, showOverlay } from './overlay.ts';
import {
  type ChangeDetail,
  type Changes,
  type CloseReason,
  type CompleteDetail,
  type ErrorCode,
  type FromFrame,
  HEIGHT_MAX,
  type Incoming,
  RETURN_PARAMETER,
} from './protocol.ts';
import { findWords } from './words.ts';

/** What happens to a checkout, and what is told of it. Nothing of it is proof of a payment. */
export interface CounterfoilEventMap {
  loaded: null;
  change: ChangeDetail;
  submit: null;
  decline: { code: string };
  complete: CompleteDetail;
  close: { reason: CloseReason };
  error: { code: ErrorCode };
}

export type CheckoutState = 'loading' | 'open' | 'failed' | 'closed';

export interface CheckoutHandle {
  readonly id: string;
  readonly state: CheckoutState;
  /** Resolves when the buyer sees the checkout; rejects with the error's code in its message when they never will. */
  readonly ready: Promise<void>;
  /** `event.preventDefault()` on `complete` keeps the page where it is. Answers how to listen no more. */
  on<Type extends keyof CounterfoilEventMap>(
    type: Type,
    listener: (detail: CounterfoilEventMap[Type], event: CustomEvent<CounterfoilEventMap[Type]>) => void,
  ): () => void;
  update(changes: Changes): void;
  /** Refused, in words, while a charge is made. */
  close(): void;
  /** Takes it away at once; safe to do twice. */
  destroy(): void;
}

/** What this script itself asks of one. */
export interface OwnCheckout extends CheckoutHandle {
  isShown(): boolean;
}

interface CheckoutParts {
  options: OpenOptions;
  baseUrl: string;
  /** Null: a window over the page. */
  container: Element | null;
  opener: Element | null;
}

const REOPEN = 'counterfoil:reopen';

/** What was open when the whole page was left for the bank; undefined when it was not. */
export function takeLeft(): OpenOptions | undefined {
  if (!new URLSearchParams(location.search).has('svc-order-id')) return undefined;
  try {
    const left = sessionStorage.getItem(REOPEN);
    sessionStorage.removeItem(REOPEN);
    return left ? JSON.parse(left) : undefined;
  } catch {}
}

let count = 0;

export function createCheckout({ options, baseUrl, container, opener }: CheckoutParts): OwnCheckout {
  const url = toCheckoutUrl(options, baseUrl);
  const { origin } = url;
  const { theme = null } = options;
  const mode = container ? 'embed' : 'overlay';
  const listeners = new Set<[string, (detail: never, event: never) => void]>();
  let state: CheckoutState = 'loading';
  let isBusy = false;
  let isComplete = false;
  let settle: (error?: Error) => void = () => {};
  const ready = new Promise<void>((resolve, reject) => {
    settle = (error) => (error ? reject(error) : resolve());
  });
  // Whoever does not wait for it is not told by the browser either.
  ready.catch(() => {});

  const emit = <Type extends keyof CounterfoilEventMap>(type: Type, detail: CounterfoilEventMap[Type]) => {
    const event = new CustomEvent(`counterfoil:checkout:${type}`, {
      detail,
      cancelable: type === 'complete',
    });
    for (const [wanted, listener] of [...listeners]) {
      try {
        if (wanted === type) listener(detail as never, event as never);
      } catch (error) {
        reportError(error);
      }
    }
    return document.dispatchEvent(event);
  };

  const kept = keepPath(url.href);
  const line = connect({
    mode,
    origin,
    init: { mode, theme, isIsolated: crossOriginIsolated },
    onMessage: (message) => take(message),
    onSilence: (code) => fail(code),
  });
  const { frame } = line;

  const close = (reason: CloseReason): boolean => {
    if (state === 'closed') return true;
    if (isBusy) {
      line.send('wait');
      return false;
    }
    end(reason);
    return true;
  };
  const end = (reason: CloseReason) => {
    state = 'closed';
    line.end();
    place.end();
    settle(new Error(`Counterfoil: ${reason}`));
    emit('close', { reason: isComplete && reason === 'user' ? 'complete' : reason });
  };
  const load = () => {
    const path = kept.read();
    line.load(path ? origin + path + url.search : url.href);
  };
  /** A session that is gone gives way to a new one. */
  const isRetried = () => {
    if (!kept.read()) return false;
    kept.write('');
    load();
    return true;
  };
  const fail = (code: ErrorCode) => {
    if (isRetried()) return;
    state = 'failed';
    isBusy = false;
    line.end();
    const link = document.createElement('a');
    link.href = url.href;
    [link.textContent] = findWords(options.language);
    // In a page that is in a frame itself the checkout's own page may not open either.
    if (top !== self) link.target = '_blank';
    place.replace(link);
    link.focus({ preventScroll: mode === 'embed' });
    const hint = crossOriginIsolated
      ? 'this page is isolated (Cross-Origin-Embedder-Policy), which the checkout may not allow'
      : `is ${location.origin} in the setting authorizedDomains?`;
    console.error(`Counterfoil: the checkout does not open in a frame (${code}): ${hint}`);
    settle(new Error(`Counterfoil: ${code}`));
    emit('error', { code });
  };
  const take = ({ type, data }: Incoming<FromFrame>) => {
    if (type === 'loaded') {
      kept.write(data.path);
      if (state === 'open') return;
      state = 'open';
      if (mode === 'overlay') {
        frame.focus();
        line.send('focus');
      }
      settle();
      emit(type, null);
    } else if (type === 'busy') isBusy = data.isBusy;
    else if (type === 'height' || type === 'reveal') mode === 'embed' && fit(frame, data);
    else if (type === 'escape') mode === 'overlay' && close('user');
    else if (type === 'leave') leave(origin + data.path, options);
    else if (type === 'submit') emit(type, null);
    else if (type === 'change' || type === 'decline') emit(type, data as never);
    else if (type === 'complete') {
      const { redirectUrl, ...detail } = data;
      isComplete = true;
      isBusy = false;
      kept.write('');
      if (emit(type, detail) && redirectUrl) go(redirectUrl);
    } else if (type === 'error' && !isRetried()) emit(type, data);
  };

  const place: Place = container
    ? fill(container, frame)
    : showOverlay({
        frame,
        opener,
        theme: options.theme,
        closeLabel: findWords(options.language)[1],
        history: options.history !== false,
        onClose: close,
        onGone: () => end('navigation'),
      });
  load();
  return {
    id: `counterfoil-${++count}`,
    get state() {
      return state;
    },
    ready,
    on(type, listener) {
      const one: [string, typeof listener] = [type, listener];
      listeners.add(one as never);
      return () => void listeners.delete(one as never);
    },
    update: (changes) => line.send('update', changes),
    close: () => void close('api'),
    isShown: () => state !== 'closed' && place.isShown(),
    destroy() {
      if (state !== 'closed') end('api');
    },
  };
}

/** The frame in a container is as high as what it holds, and has no scrollbar of its own. */
function fill(container: Element, frame: HTMLIFrameElement): Place {
  const { style } = frame;
  style.display = 'block';
  style.width = '100%';
  style.height = '480px';
  style.maxHeight = 'none';
  style.border = '0';
  container.append(frame);
  let shown: Element = frame;
  return {
    replace(element) {
      shown.replaceWith(element);
      shown = element;
    },
    isShown: () => container.contains(shown),
    end: () => shown.remove(),
  };
}

/** The address of the session's page, for as long as the tab lives; a browser that keeps nothing does without. */
function keepPath(checkoutUrl: string) {
  const key = `counterfoil:${checkoutUrl}`;
  return {
    read(): string | undefined {
      try {
        return sessionStorage.getItem(key) || undefined;
      } catch {}
    },
    write(path: string) {
      try {
        if (path) sessionStorage.setItem(key, path);
        else sessionStorage.removeItem(key);
      } catch {}
    },
  };
}

/**
 * A frame that cannot scroll is as high as what it holds, and what the buyer must see is brought into sight. In a window
 * it scrolls by itself: as high as what it holds, its end could not be reached.
 */
function fit(frame: HTMLIFrameElement, { height, top }: { height?: number; top?: number }): void {
  if (height) frame.style.height = `${Math.min(height, HEIGHT_MAX)}px`;
  if (top === undefined) return;
  const y = frame.getBoundingClientRect().top + top;
  if (y < 0 || y > innerHeight * 0.8) scrollBy(0, y - innerHeight / 4);
}

/** On to a page of the checkout, which leads back here: the window that was open is then opened again. */
function leave(address: string, options: OpenOptions): void {
  try {
    if (options.mode !== 'embed') sessionStorage.setItem(REOPEN, JSON.stringify(options));
  } catch {}
  const url = new URL(address);
  url.searchParams.set(RETURN_PARAMETER, location.href);
  go(url.href);
}

function go(url: string): void {
  if (/^https?:/.test(url)) location.assign(url);
}
