/**
 * Stripe's script, from Stripe's own host: its rules allow no copy. Loaded by the first page that shows its fields, once.
 * Only what we use of it is declared.
 */

export interface StripeError {
  message?: string;
}

export interface StripeElement {
  mount(where: HTMLElement): void;
  destroy(): void;
  on(event: 'ready' | 'loaderror', listener: () => void): void;
}

export interface StripeElements {
  create(kind: 'payment', options?: object): StripeElement;
  update(options: object): void;
  submit(): Promise<{ error?: StripeError }>;
}

export interface StripeApi {
  /** Ends when the buyer has, whatever came of it. */
  handleNextAction(of: { clientSecret: string }): Promise<unknown>;
  elements(options: object): StripeElements;
  createConfirmationToken(of: {
    elements: StripeElements;
    params?: { return_url: string };
  }): Promise<{ confirmationToken?: { id: string }; error?: StripeError }>;
}

type Factory = (publishableKey: string, options: { locale: string }) => StripeApi;

const loading = new Map<string, Promise<Factory>>();

/** Rejects where it cannot be had; the next call tries again. */
export function loadStripe(src: string): Promise<Factory> {
  const known = loading.get(src);
  if (known) return known;
  const loaded = new Promise<Factory>((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      loading.delete(src);
      script.remove();
      reject(new Error('the processor’s script did not load'));
    };
    script.src = src;
    script.onerror = fail;
    script.onload = () => {
      const factory = (window as { Stripe?: Factory }).Stripe;
      if (factory) resolve(factory);
      else fail();
    };
    document.head.append(script);
  });
  loading.set(src, loaded);
  return loaded;
}
