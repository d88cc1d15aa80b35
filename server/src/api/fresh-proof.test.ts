/** D20 What asks whoever is signed in to prove it once more: the list of the specification, against all operations. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, makeAccount, openSignedIn } from '../../test/support/browser.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import type { Route } from '../http/route.ts';
import { SAMPLE_ID, toExample } from '../http/samples.ts';
import { routes } from './routes.ts';

const EMAIL = 'owner@proof.example';

/** Operations that the page names, by their ids; what is not built yet is not among the routes. */
const ALWAYS = [
  ...['createApiKey', 'rollApiKey', 'revokeApiKey', 'allowDeviceRequest'],
  ...['revealWebhookSecret', 'rotateWebhookSecret'],
  ...['connectProcessor', 'rotateProcessor', 'archiveProcessor'],
  ...['changeEmail', 'changePassword', 'beginTotp', 'confirmTotp', 'removeTotp', 'makeRecoveryCodes'],
  ...['beginPasskey', 'createPasskey', 'deletePasskey'],
  ...['removeMember', 'transferWorkspace', 'closeWorkspace', 'reopenWorkspace', 'resetTestClock'],
];
const LIVE_ONLY = ['updateOrder', 'receivePayment', 'acceptCharge', 'returnCharge', 'settleRefund'];
/** What of a body makes it ask, and what does not. */
const BY_BODY: Record<string, { asks: object[]; passes: object }> = {
  updateSettings: {
    asks: [{ seller: { name: 'X' } }, { registrations: [] }, { taxRateOverrides: [] }],
    passes: { graceDays: 7 },
  },
  createInvitation: {
    asks: [{ email: 'new@proof.example', role: 'admin' }],
    passes: { email: 'new@proof.example', role: 'support' },
  },
};

const known = (ids: string[]) => routes.filter(({ operationId }) => ids.includes(operationId));

let t: TestApp;
let test: Browser;
let live: Browser;
beforeAll(async () => {
  t = await createTestApp();
  const { workspaceId } = t.test.scope;
  await t.service.db.deleteFrom('memberships').where('workspaceId', '=', workspaceId).execute();
  await makeAccount(t, { email: EMAIL, installationAdmin: true, member: { workspaceId, role: 'owner' } });
  test = await openSignedIn(t, EMAIL);
  live = await openSignedIn(t, EMAIL, t.live);
  for (const browser of [test, live]) await browser.delete('/v0/session/reauthenticate');
});
afterAll(() => t.close());

const ask = (browser: Browser, route: Route, body = toExample(route)) =>
  browser.request(route.method, route.path.replace(/:\w+/g, SAMPLE_ID), {
    body: body ?? (route.method === 'GET' ? undefined : {}),
  });

describe('after Lock', () => {
  it.each(known(ALWAYS).map((route) => [route.operationId, route] as const))(
    '%s is refused',
    async (_, route) => {
      await expectRefusal(ask(test, route), 403, 'reauthentication_required');
    },
  );

  it.each(known(LIVE_ONLY).map((route) => [route.operationId, route] as const))(
    '%s is refused in live alone',
    async (_, route) => {
      await expectRefusal(ask(live, route), 403, 'reauthentication_required');
      expect((await ask(test, route)).body.error?.code).not.toBe('reauthentication_required');
    },
  );

  it.each(known(Object.keys(BY_BODY)).map((route) => [route.operationId, route] as const))(
    '%s is refused by what it changes',
    async (id, route) => {
      const { asks = [], passes } = BY_BODY[id] ?? {};
      for (const body of asks) await expectRefusal(ask(test, route, body), 403, 'reauthentication_required');
      expect((await ask(test, route, passes)).status).toBe(200);
    },
  );

  it('no write of the installation goes through', async () => {
    const writes = routes.filter(({ audience, method }) => audience === 'installation' && method !== 'GET');
    expect(writes.length).toBeGreaterThan(5);
    for (const route of writes) await expectRefusal(ask(test, route), 403, 'reauthentication_required');
  });

  it('everything goes on once the proof is shown', async () => {
    const proved = await openSignedIn(t, EMAIL);
    for (const route of known([...ALWAYS, ...LIVE_ONLY])) {
      if (['closeWorkspace', 'changePassword', 'resetTestClock'].includes(route.operationId)) continue;
      const { body } = await ask(proved, route);
      expect(body.error?.code, route.operationId).not.toBe('reauthentication_required');
    }
  });
});
