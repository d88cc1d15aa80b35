/** The stand-in for PayPal, and what its payers do. */
import { type DoubleOptions, type ProcessorDouble, startProcessorDouble } from './processor-double.ts';

export interface PayPalAccount {
  id: string;
  clientId: string;
  clientSecret: string;
}

export interface PayPalDouble extends ProcessorDouble {
  /** In EUR, in Germany, unless said. */
  openAccount(more?: object): Promise<PayPalAccount>;
}

/** For PAYPAL_SANDBOX_API_URL. */
export async function startPayPalDouble(options: DoubleOptions = {}): Promise<PayPalDouble> {
  const double = await startProcessorDouble('paypal', options);
  return {
    ...double,
    openAccount: (more = {}) =>
      double.control<PayPalAccount>('POST /accounts', {
        ...{ country: 'DE', currency: 'eur', mode: 'test' },
        ...more,
      }),
  };
}

/** What the payer presses on PayPal's page. Answers where it leads. */
export async function pressAtPayPal(
  url: string,
  answer: 'approve' | 'cancel' | 'decline',
  funding: 'balance' | 'bank' | 'review' = 'balance',
): Promise<string> {
  const body = new URLSearchParams({ answer, funding });
  const said = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  return said.headers.get('location') ?? '';
}
