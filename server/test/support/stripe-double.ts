/** The stand-in for Stripe as a process of its own, on ports that were free, and its control port. */
import { type DoubleOptions, type ProcessorDouble, startProcessorDouble } from './processor-double.ts';

export interface StripeAccount {
  id: string;
  secretKey: string;
  publishableKey: string;
  /** Of an account that was opened with `permissions`. */
  restrictedKey?: string;
}

export interface StripeDouble extends ProcessorDouble {
  scriptUrl: string;
  /** In EUR, in Germany, unless said. */
  openAccount(more?: object): Promise<StripeAccount>;
}

/** For STRIPE_API_URL; Stripe.js is served beside it. */
export async function startStripeDouble(options: DoubleOptions = {}): Promise<StripeDouble> {
  const double = await startProcessorDouble('stripe', options);
  return {
    ...double,
    scriptUrl: `${double.apiUrl}/endive/stripe.js`,
    openAccount: (more = {}) =>
      double.control<StripeAccount>('POST /accounts', {
        ...{ country: 'DE', currency: 'eur', mode: 'test' },
        ...more,
      }),
  };
}
