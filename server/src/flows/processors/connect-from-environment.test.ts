import { expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '../../../test/support/harness.ts';
import { startStripeDouble } from '../../../test/support/stripe-double.ts';
import { inTransaction } from '../../db/transaction.ts';
import { updateInstallationState } from '../../resources/installation/held.queries.ts';
import { connectFromEnvironment } from './connect-from-environment.ts';

it('connects the account of the environment to the first workspace, once and in no copy', async () => {
  const double = await startStripeDouble();
  onTestFinished(() => double.close());
  const { id: accountId, secretKey, publishableKey } = await double.openAccount();
  const app = await createTestApp({
    STRIPE_API_URL: double.apiUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PROCESSOR_TIMEOUT_MS: '60000',
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
  });
  onTestFinished(() => app.close());
  const setCopy = (isCopy: boolean) =>
    inTransaction(app.service.db, (tx) => updateInstallationState(tx, { isCopy }));
  await setCopy(true);
  expect(await connectFromEnvironment(app.service)).toBe(false);
  await setCopy(false);
  expect(await connectFromEnvironment(app.service)).toBe(true);
  const listed = async () => {
    const { processors } = (await app.test.get('/v0/processors/list')).body.data;
    return processors.filter(({ kind }: { kind: string }) => kind === 'stripe');
  };
  const [connected, ...more] = await listed();
  expect(more).toEqual([]);
  expect(connected).toMatchObject({ accountId, name: 'Stripe', status: 'active' });
  expect(await connectFromEnvironment(app.service)).toBe(false);
  // Retired counts.
  await app.test.patch(`/v0/processors/${connected.id}/archive`, {});
  expect(await connectFromEnvironment(app.service)).toBe(false);
  expect(await listed()).toHaveLength(1);
});
