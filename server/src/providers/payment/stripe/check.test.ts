/** Whether an account lets us in, against the stand-in as a process of its own. */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { startStripeDouble } from '../../../../test/support/stripe-double.ts';
import { toCallEnd } from '../call-end.ts';
import { createStripeKind } from './stripe.ts';

it('P06 an account whose key was revoked lets nobody in', async () => {
  const double = await startStripeDouble();
  onTestFinished(() => double.close());
  const { id: accountId, secretKey, publishableKey } = await double.openAccount();
  const kind = createStripeKind({
    apiUrl: double.apiUrl,
    scriptUrl: 'https://js.stripe.com/endive/stripe.js',
    timeoutMs: 20_000,
    realNowMs: () => 0,
    customers: {
      find: async () => null,
      keep: async (_of, id) => id,
      replace: async (_of, _gone, id) => id,
    },
  });
  const scope = { workspaceId: randomUUID(), testMode: true };
  const credentials = { secretKey, publishableKey };
  const provider = kind.open({ id: randomUUID(), scope, kind: kind.name, details: {}, credentials });
  await expect(provider.check?.()).resolves.toBeUndefined();
  await double.control(`POST /accounts/${accountId}/revoke`, {});
  const error = await provider.check?.().catch((cause: unknown) => cause);
  expect(toCallEnd(error)).toBe('locked_out');
});
