/** A service whose test store is connected to an account of Stripe's stand-in. */
import { assert } from '../../src/domain/assert.ts';
import { createTestApp, type TestApp } from './harness.ts';
import type { DoubleOptions } from './processor-double.ts';
import { type StripeAccount, type StripeDouble, startStripeDouble } from './stripe-double.ts';

export interface StripeApp {
  app: TestApp;
  double: StripeDouble;
  account: StripeAccount;
  processorId: string;
  close(): Promise<void>;
}

export async function openStripeApp(
  env: Record<string, string> = {},
  options: Parameters<typeof createTestApp>[2] = {},
  { settledIn, ...there }: DoubleOptions & { settledIn?: { country: string; currency: string } } = {},
): Promise<StripeApp> {
  const double = await startStripeDouble(there);
  const settings = {
    STRIPE_API_URL: double.apiUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PROCESSOR_TIMEOUT_MS: '60000',
    ...env,
  };
  const app = await createTestApp(settings, undefined, options);
  const account = await double.openAccount(settledIn);
  const { secretKey, publishableKey } = account;
  const credentials = { secretKey, publishableKey };
  const connected = await app.test.post('/v0/processors/connect', {
    ...{ kind: 'stripe', name: 'Cards', credentials },
  });
  assert(connected.status === 200, `Stripe is connected: ${connected.text}`);
  return {
    ...{ app, double, account },
    processorId: connected.body.data.processor.id,
    close: async () => {
      await app.close();
      await double.close();
    },
  };
}
