import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createPaymentProviders } from './registry.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import { createSandboxStore } from './sandbox/sandbox-store.ts';

// Never connected: a registry asks no store.
const sandbox = createSandbox({ store: createSandboxStore(new pg.Pool()), randomBytes });
const providers = createPaymentProviders({ sandbox, timeoutMs: 100, onFailure: () => {} });
const workspaceId = '01985a8e-0000-7000-8000-000000000001';

it('takes test charges to the sandbox and has nobody for live ones', () => {
  expect(providers.providerFor({ workspaceId, testMode: true })?.name).toBe('sandbox');
  expect(providers.providerFor({ workspaceId, testMode: false })).toBeNull();
});

it('finds the processor of an earlier charge by its stored name', () => {
  expect(providers.providerNamed('sandbox')?.name).toBe('sandbox');
  expect(providers.providerNamed('manual')).toBeNull();
});
