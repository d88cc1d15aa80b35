/** The window over the page: a modal dialog, so that the page behind it neither scrolls nor takes the focus. */
import type { CloseReason, Theme } from './protocol.ts';

export interface Place {
  /** Puts something in the place of the frame. */
  replace(element: Element): void;
  /** False once the page has thrown it out. */
  isShown(): boolean;
  end(): void;
}

interface OverlayParts {
  frame: HTMLIFrameElement;
  /** What has the focus again in the end. */
  opener: Element | null;
  theme?: Theme;
  /** What its button says, in the buyer's language. */
  closeLabel: string;
  /** Whether Back closes it. */
  history: boolean;
  /** Answers whether it was closed; a charge that is being made is waited for. */
  onClose(reason: CloseReason): boolean;
  /** The page was drawn anew without it, as a router does that puts another body in place. */
  onGone(): void;
}

/** In pixels: `rem` is the page's, and many a page makes it ten of them. */
const toStyle = (theme: Theme | undefined) => `
html{overflow:hidden!important;scrollbar-gutter:${innerWidth > document.documentElement.clientWidth ? 'stable' : 'auto'}!important}
.counterfoil-checkout{all:initial;color-scheme:${theme && theme !== 'auto' ? theme : 'light dark'};position:fixed;inset:0;margin:auto;display:grid;grid-template:48px minmax(0,1fr)/1fr;box-sizing:border-box;width:min(1088px,100vw - 48px);height:min(896px,100vh - 48px);overflow:hidden;border:1px solid transparent;border-radius:18px;background:light-dark(#edeae1,#0b0e0c);color:light-dark(#1b1f1a,#eef1eb);font:16px/1.5 system-ui,sans-serif;transition:opacity .15s}
.counterfoil-checkout::backdrop{background:rgb(0 0 0/.55)}
.counterfoil-checkout>button{all:initial;justify-self:end;box-sizing:border-box;width:48px;height:48px;color:inherit;font:28px/48px system-ui,sans-serif;text-align:center;cursor:pointer}
.counterfoil-checkout>button:focus-visible{outline:3px solid light-dark(#2f8f64,#6fcf9f);outline-offset:-6px;border-radius:14px}
.counterfoil-checkout>iframe{all:initial;width:100%;height:100%}
.counterfoil-checkout>a{place-self:center;padding:16px;color:inherit}
@media(max-width:40rem){.counterfoil-checkout{width:100vw;max-width:none;height:100dvh;max-height:none;border:0;border-radius:0}}
@media(prefers-reduced-motion:reduce){.counterfoil-checkout{transition:none}}
@starting-style{.counterfoil-checkout{opacity:0}}`;

/** A step back of our own making is under way: it closes nothing. */
let isSteppingBack = false;

export function showOverlay({
  frame,
  opener,
  theme,
  closeLabel,
  history: hasEntry,
  onClose,
  onGone,
}: OverlayParts): Place {
  const dialog = document.createElement('dialog');
  const button = document.createElement('button');
  dialog.className = 'counterfoil-checkout';
  dialog.ariaLabel = 'Checkout';
  button.type = 'button';
  button.ariaLabel = closeLabel;
  button.textContent = '×';
  button.onclick = () => onClose('user');
  dialog.append(button, frame);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(toStyle(theme));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  document.body.append(dialog);

  let isOver = false;
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose('user');
  };
  dialog.addEventListener('cancel', cancel);
  dialog.onkeydown = (event) => {
    if (event.key === 'Escape') cancel(event);
  };
  // A browser closes it by itself when it was asked twice.
  dialog.onclose = () => {
    if (!isOver && !onClose('user')) dialog.showModal();
  };
  dialog.showModal();
  const watch = new MutationObserver(() => dialog.isConnected || onGone());
  watch.observe(document, { childList: true, subtree: true });

  const entry = hasEntry ? enterHistory(() => onClose('navigation')) : undefined;
  return {
    replace(element) {
      frame.replaceWith(element);
    },
    isShown: () => dialog.isConnected,
    end() {
      isOver = true;
      watch.disconnect();
      entry?.();
      dialog.close();
      dialog.remove();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    },
  };
}

/** One entry at the page's own address. Answers how to leave it. */
function enterHistory(onBack: () => boolean): () => void {
  const mark = Math.random();
  const push = () => {
    const { state } = history;
    const kept = state && typeof state === 'object' ? state : {};
    history.pushState({ ...kept, counterfoil: mark }, '');
  };
  const isOn = () => history.state?.counterfoil === mark;
  const step = () => {
    // The step back of an overlay that was closed a moment ago has arrived.
    if (isSteppingBack) push();
    else if (!isOn() && !onBack()) push();
  };
  addEventListener('popstate', step);
  if (!isSteppingBack) push();
  return () => {
    removeEventListener('popstate', step);
    if (isSteppingBack || !isOn()) return;
    isSteppingBack = true;
    // Those who listen to this very step come first.
    addEventListener('popstate', () => setTimeout(() => (isSteppingBack = false)), { once: true });
    history.back();
  };
}
