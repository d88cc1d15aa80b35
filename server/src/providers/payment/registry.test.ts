import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createPaymentProviders } from './registry.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import { createSandboxStore } from './sandbox/sandbox-store.ts';

// Never connected: a registry asks no store.
const sandbox = createSandbox({ store: createSandboxStore(new pg.Pool()), randomBytes });
const providers = createPaymentProviders({
  sandbox,
  kinds: [],
  timeoutMs: 100,
  realNowMs: () => 0,
  onFailure: () => {},
});
const connection = {
  id: '01985a8e-0000-7000-8000-000000000002',
  scope: { workspaceId: '01985a8e-0000-7000-8000-000000000001', testMode: true },
  details: {},
  credentials: null,
};

it('opens the sandbox of any store, and the same by its connection', () => {
  expect(providers.openSandbox().name).toBe('sandbox');
  expect(providers.openConnection({ ...connection, kind: 'sandbox' })?.name).toBe('sandbox');
});

it('has nobody for a kind that it does not know', () => {
  expect(providers.openConnection({ ...connection, kind: 'other' })).toBeNull();
  expect(providers.kindNamed('other')).toBeNull();
});
