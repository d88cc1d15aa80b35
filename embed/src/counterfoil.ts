/** What a shop's page sees: `Counterfoil`, and the elements that open a checkout by what is written on them. */
import { type CheckoutHandle, createCheckout, type OwnCheckout, takeLeft } from './checkout.ts';
import { type OpenOptions, readOptions, toCheckoutUrl } from './options.ts';

export interface Counterfoil {
  /** Of the script, apart from that of the product. */
  readonly version: string;
  /** Listens for clicks and opens what the page shows at once; safe to do twice. */
  Initialize(): void;
  /** Opens what a part of the page, added later, shows at once. */
  ScanDOM(root?: ParentNode): void;
  readonly Checkout: {
    /** Over the page, or as `mode` says. While one is open over the page, answers that one. */
    open(options: OpenOptions): CheckoutHandle | undefined;
    /** In an element of the page, its id or a selector. */
    mount(target: Element | string, options: OpenOptions): CheckoutHandle;
    close(): void;
  };
}

const OPENERS = '[data-svc-checkout-url],a[href][data-svc-mode]';
const CONTROLS = 'a,button,input,[role=button]';

export function createCounterfoil(baseUrl: string, version: string): Counterfoil {
  const mounted = new Map<Element, OwnCheckout>();
  const displayed = new WeakSet<Element>();
  let overlay: OwnCheckout | undefined;
  let isInitialized = false;

  const mount = (target: Element | string, options: OpenOptions): CheckoutHandle => {
    const container = find(target);
    const before = mounted.get(container);
    // A page that draws its parts anew may have thrown out what was in this one.
    if (before?.isShown()) return before;
    before?.destroy();
    const handle = createCheckout({ options: flatten(options), baseUrl, container, opener: null });
    mounted.set(container, handle);
    handle.on('close', () => mounted.delete(container));
    return handle;
  };
  const open = (options: OpenOptions, opener = document.activeElement): CheckoutHandle | undefined => {
    const all = flatten(options);
    if (all.mode === 'hosted') location.assign(toCheckoutUrl(all, baseUrl));
    else if (all.mode === 'embed') return mount(all.frameTarget ?? '', all);
    else {
      if (!overlay?.isShown()) {
        overlay = createCheckout({ options: all, baseUrl, container: null, opener });
      }
      return overlay;
    }
  };
  const openBy = (element: Element) => {
    const options = readOptions(element);
    if (!options) return;
    if (options.mode === 'embed' && !options.frameTarget) mount(element, options);
    else open(options, element);
  };
  const click = (event: MouseEvent) => {
    const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (event.defaultPrevented || button || ctrlKey || metaKey || shiftKey || altKey) return;
    // Also of what lies in the shadow of an element of the page's own making.
    const element = event
      .composedPath()
      .find((one): one is Element => one instanceof Element && one.matches(OPENERS));
    if (!element || isContainer(element)) return;
    const options = readOptions(element);
    if (options?.mode === 'hosted' && element instanceof HTMLAnchorElement) {
      // It stays the link that it is, with what is known of the buyer.
      element.href = toCheckoutUrl(options, baseUrl).href;
      return;
    }
    event.preventDefault();
    openBy(element);
  };
  const ScanDOM = (root: ParentNode = document) => {
    for (const element of [root as Element, ...root.querySelectorAll(OPENERS)]) {
      if (!element.matches?.(OPENERS)) continue;
      const display = element.getAttribute('data-svc-auto-display-checkout');
      const isShown = display !== null && display !== 'false' && !displayed.has(element);
      if (!isContainer(element) && !isShown) continue;
      displayed.add(element);
      openBy(element);
    }
  };
  return {
    version,
    Initialize() {
      if (isInitialized) return;
      isInitialized = true;
      document.addEventListener('click', click);
      const begin = () => {
        ScanDOM();
        const left = takeLeft();
        if (left) open(left);
      };
      if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin);
      else begin();
    },
    ScanDOM,
    Checkout: { open: (options) => open(options), mount, close: () => overlay?.close() },
  };
}

const flatten = ({ settings, ...options }: OpenOptions): OpenOptions => ({ ...options, ...settings });

/** An element that shows the checkout in itself, without a press. */
function isContainer(element: Element): boolean {
  return element.getAttribute('data-svc-mode') === 'embed' && !element.matches(CONTROLS);
}

function find(target: Element | string): Element {
  if (typeof target !== 'string') return target;
  const found = document.getElementById(target) ?? (target ? document.querySelector(target) : null);
  if (!found) throw new TypeError(`Counterfoil: the page has no element "${target}"`);
  return found;
}
