/** `@counterfoil/embed/react`: a button that opens the checkout over the page, and the checkout in a page. */
import { type ButtonHTMLAttributes, type MouseEvent, useEffect, useRef } from 'react';
import type { CheckoutHandle, CounterfoilEventMap } from './checkout.ts';
import { loadCounterfoil } from './load-counterfoil.ts';
import type { OpenOptions } from './options.ts';

/** Called for what happens to the checkout; `event.preventDefault()` in `onComplete` keeps the page where it is. */
export interface CheckoutListeners {
  onLoaded?: Listener<'loaded'>;
  onChange?: Listener<'change'>;
  onSubmit?: Listener<'submit'>;
  onDecline?: Listener<'decline'>;
  onComplete?: Listener<'complete'>;
  onClose?: Listener<'close'>;
  onError?: Listener<'error'>;
}

type Listener<Type extends keyof CounterfoilEventMap> = (
  detail: CounterfoilEventMap[Type],
  event: CustomEvent<CounterfoilEventMap[Type]>,
) => void;

const LISTENERS = {
  loaded: 'onLoaded',
  change: 'onChange',
  submit: 'onSubmit',
  decline: 'onDecline',
  complete: 'onComplete',
  close: 'onClose',
  error: 'onError',
} as const satisfies Record<keyof CounterfoilEventMap, keyof CheckoutListeners>;

/** A listener that is another at each render is asked for when something happens. */
function listenTo(handle: CheckoutHandle, read: () => CheckoutListeners): void {
  for (const type of Object.keys(LISTENERS) as Array<keyof CounterfoilEventMap>) {
    // Each listener is that of its type.
    handle.on(type, (detail, event) => read()[LISTENERS[type]]?.(detail as never, event as never));
  }
}

const toBaseUrl = (checkoutUrl: string) => new URL(checkoutUrl, window.location.href).origin;

export interface CheckoutProps extends CheckoutListeners {
  checkoutUrl: string;
  /** What it is opened with; another `checkoutUrl` opens anew, other options do not. */
  options?: Omit<OpenOptions, 'checkoutUrl'>;
  className?: string;
}

/** The checkout as a part of the page, as high as what it holds. */
export function Checkout({ checkoutUrl, options, className, ...listeners }: CheckoutProps) {
  const container = useRef<HTMLDivElement>(null);
  const latest = useRef({ listeners, options });
  latest.current = { listeners, options };
  useEffect(() => {
    let isOver = false;
    let handle: CheckoutHandle | undefined;
    void loadCounterfoil(toBaseUrl(checkoutUrl)).then((counterfoil) => {
      // An effect may be taken back before the answer is there, as strict mode does.
      if (isOver || !counterfoil || !container.current) return;
      handle = counterfoil.Checkout.mount(container.current, { ...latest.current.options, checkoutUrl });
      listenTo(handle, () => latest.current.listeners);
    });
    return () => {
      isOver = true;
      handle?.destroy();
    };
  }, [checkoutUrl]);
  return <div ref={container} className={className} />;
}

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof CheckoutListeners>;

export interface CheckoutButtonProps extends ButtonProps, CheckoutListeners {
  checkoutUrl: string;
  options?: Omit<OpenOptions, 'checkoutUrl'>;
}

/** A button that opens the checkout over the page. */
export function CheckoutButton({ checkoutUrl, options, onClick, ...rest }: CheckoutButtonProps) {
  const latest = useRef<CheckoutListeners>({});
  const handle = useRef<CheckoutHandle | undefined>(undefined);
  const { onLoaded, onChange, onSubmit, onDecline, onComplete, onClose, onError, ...button } = rest;
  latest.current = { onLoaded, onChange, onSubmit, onDecline, onComplete, onClose, onError };
  useEffect(() => () => handle.current?.destroy(), []);
  const open = async (event: MouseEvent<HTMLButtonElement>) => {
    onClick?.(event);
    if (event.defaultPrevented) return;
    const counterfoil = await loadCounterfoil(toBaseUrl(checkoutUrl));
    const opened = counterfoil?.Checkout.open({ ...options, checkoutUrl });
    if (!opened || opened === handle.current) return;
    handle.current = opened;
    listenTo(opened, () => latest.current);
  };
  return <button type="button" {...button} onClick={(event) => void open(event)} />;
}
