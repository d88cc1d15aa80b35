/** A service of its own for the tests of one file about subscriptions. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { expectInvariants } from './expect-invariants.ts';
import { createTestApp, type TestApp } from './harness.ts';
import { putToRest } from './subscribing.ts';

/**
 * Call it outside any test. `ready` is given the service before the first one and fills its catalogue. After each test
 * the subscriptions are put to rest; after the last one every invariant must hold.
 */
export function useShop(ready: (app: TestApp) => Promise<void> | void): void {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
    await ready(app);
  });
  afterEach(() => putToRest(app));
  afterAll(async () => {
    await expectInvariants(app);
    await app.close();
  });
}
