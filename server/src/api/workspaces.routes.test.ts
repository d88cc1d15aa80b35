import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, makeAccount, openBrowser, openSignedIn } from '../../test/support/browser.ts';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';
import { SWEEP_DAYS } from '../domain/workspaces/sweep.ts';
import { sweepWorkspaces } from '../flows/workspace-life/sweep-workspaces.ts';

const DAY_MS = 86_400_000;
const ROOT = 'root@first.example';

let t: TestApp;
let owner: Browser;
let root: Browser;
const clock = { nowMs: Date.now(), monotonicMs: 0 };
const workspaceId = () => t.test.scope.workspaceId;
beforeAll(async () => {
  t = await createTestApp({ SIGN_UP: 'open' }, undefined, {
    realNowMs: () => clock.nowMs,
    monotonicMs: () => clock.monotonicMs,
  });
  await t.service.db.deleteFrom('memberships').where('workspaceId', '=', workspaceId()).execute();
  await makeAccount(t, {
    email: 'owner@shop.example',
    member: { workspaceId: workspaceId(), role: 'owner' },
  });
  await makeAccount(t, { email: 'admin@first.example' });
  await makeAccount(t, { email: ROOT, member: null, installationAdmin: true });
  await signIn();
});
afterAll(() => t.close());

async function signIn() {
  owner = await openSignedIn(t, 'owner@shop.example');
  root = await openSignedIn(t, ROOT);
}
const pass = (ms: number) => {
  clock.nowMs += ms;
  clock.monotonicMs += ms;
};
const settle = () => pass(5_000);
const ofRoot = (verb: string) => root.patch(`/v0/installation/workspaces/${workspaceId()}/${verb}`);
const own = async () => {
  const { workspaces } = (await owner.get('/v0/workspaces/list')).body.data;
  return workspaces.find(({ id }: { id: string }) => id === workspaceId());
};

describe('workspaces', () => {
  it('are made with two stores and no key pairs, at most 10 by one account', async () => {
    const create = { name: 'Second shop', country: 'DE', currency: 'EUR' };
    const { workspace } = (await owner.post('/v0/workspaces/create', create)).body.data;
    expect(workspace).toMatchObject({
      name: 'Second shop',
      role: 'owner',
      state: 'active',
      portalSlug: 'second-shop',
    });
    const elsewhere = { headers: { 'x-svc-workspace': workspace.id } };
    for (const mode of ['live', 'test']) {
      const headers = { ...elsewhere.headers, 'x-svc-mode': mode };
      expect((await owner.get('/v0/api-keys/list', { headers })).body.data.apiKeys).toEqual([]);
      expect((await owner.get('/v0/settings', { headers })).body.data.settings.sellerCountry).toBe('DE');
    }
    for (let i = 0; i < 8; i += 1)
      await owner.post('/v0/workspaces/create', { ...create, name: `Shop ${i}` });
    await expectRefusal(owner.post('/v0/workspaces/create', create), 400, 'workspace_limit_reached');
  });

  it('are changed as a whole by Owner and Admins, and a portal has one address', async () => {
    const changed = await owner.patch('/v0/workspace/update', { name: 'First', portalSlug: 'first-of-all' });
    expect(changed.body.data.workspace).toMatchObject({ name: 'First', portalSlug: 'first-of-all' });
    const taken = owner.patch('/v0/workspace/update', { portalSlug: 'second-shop' });
    await expectRefusal(taken, 409, 'slug_taken');
  });

  it('D34 refuse names of spaces alone, their own and those of what lies in them', async () => {
    const blank = ' \u00a0 ';
    await buy(t.test, { offersIds: [await makeOffer(t.test)] });
    const [{ id: objectId }] = (await owner.get('/v0/orders/list?take=1')).body.data.orders;
    const refused = [
      [owner.post('/v0/workspaces/create', { name: blank, country: 'DE', currency: 'EUR' }), 'name'],
      [owner.patch('/v0/workspace/update', { name: blank }), 'name'],
      [owner.patch('/v0/account/update', { name: blank }), 'name'],
      [owner.post('/v0/api-keys/create', { name: blank, scopes: ['orders:read'] }), 'name'],
      [owner.post('/v0/views/create', { resource: 'orders', name: blank, query: '' }), 'name'],
      [owner.post('/v0/notes/create', { object: 'order', objectId, text: blank }), 'text'],
    ] as const;
    for (const [asked, path] of refused) {
      const { status, body } = await asked;
      expect([status, body.error?.details]).toEqual([400, [{ path, message: 'must hold more than spaces' }]]);
    }
  });

  it('are told all fields that are missing at once', async () => {
    const ask = async (input: object) =>
      (await owner.post('/v0/workspaces/create', input)).body.error.details.map(({ path }: never) => path);
    expect(await ask({})).toEqual(['name', 'country', 'currency']);
    expect(await ask({ country: 'DE' })).toEqual(['name', 'currency']);
  });

  it('D15 invite mailboxes alone', async () => {
    for (const email of ['x', 'a@b', 'two@at@signs.example', 'a b@c.example', 'name@host..example']) {
      const { status, body } = await owner.post('/v0/invitations/create', { email, role: 'support' });
      expect([email, status, body.error?.details?.[0]?.path]).toEqual([email, 400, 'email']);
    }
    const { body } = await owner.post('/v0/invitations/create', {
      email: ' Zoë@Team.example',
      role: 'support',
    });
    expect(body.data.invitation.email).toBe('Zoë@Team.example');
  });

  it('hold 200 open invitations at most', async () => {
    const row = { workspaceId: workspaceId(), role: 'support' as const, invitedBy: 'account:x' };
    const many = Array.from({ length: 200 }, (_, at) => ({
      ...row,
      id: randomUUID(),
      email: `many${at}@first.example`,
      emailNormal: `many${at}@first.example`,
      mailedTokenHash: `m${at}`,
      shownTokenHash: `s${at}`,
      expiresAt: clock.nowMs + DAY_MS,
      createdAt: clock.nowMs,
    }));
    await t.service.db.insertInto('invitations').values(many).execute();
    const more = owner.post('/v0/invitations/create', { email: 'more@first.example', role: 'support' });
    await expectRefusal(more, 400, 'team_limit_reached');
  });
});

describe('D16 closing', () => {
  it('asks the typed name and a fresh proof of the Owner, and refuses while a subscription lives', async () => {
    const admin = await openSignedIn(t, 'admin@first.example');
    await expectRefusal(admin.post('/v0/workspace/close', { name: 'First' }), 403, 'insufficient_permission');
    await expectRefusal(owner.post('/v0/workspace/close', { name: 'Last' }), 400, 'invalid_input');
    pass(11 * 60_000);
    await expectRefusal(
      owner.post('/v0/workspace/close', { name: 'First' }),
      403,
      'reauthentication_required',
    );
    await signIn();
    await expectRefusal(owner.post('/v0/workspace/reopen'), 409, 'workspace_state');
  });

  it('archives it, keys are refused, and reopening restores it for 30 days', async () => {
    await buy(t.test, { offersIds: [await makePlanOffer(t.test)] });
    await copyToLive();
    await expectRefusal(owner.post('/v0/workspace/close', { name: 'First' }), 409, 'subscriptions_running');
    await t.service.pool.query(
      `update subscriptions set status = 'canceled', ended_at = 1 where not test_mode`,
    );
    const closed = await owner.post('/v0/workspace/close', { name: 'First' });
    expect(closed.body.data.workspace).toMatchObject({ state: 'archived', stateBy: 'owner' });
    settle();
    await expectRefusal(t.test.get('/v0/discounts/list'), 403, 'workspace_archived');
    await expectRefusal(owner.get('/v0/discounts/list'), 403, 'workspace_archived');
    expect((await own()).state).toBe('archived');
    expect((await owner.post('/v0/workspace/reopen')).body.data.workspace.state).toBe('active');
    settle();
    expect((await t.test.get('/v0/discounts/list')).status).toBe(200);
    await owner.post('/v0/workspace/close', { name: 'First' });
    pass(30 * DAY_MS);
    await signIn();
    await expectRefusal(owner.post('/v0/workspace/reopen'), 409, 'workspace_state');
    expect((await ofRoot('unarchive')).body.data.workspace.state).toBe('active');
    settle();
  });
});

/** As no processor is connected here, a live subscription is a copy of the test store's. */
async function copyToLive(): Promise<void> {
  for (const table of ['users', 'payment_methods', 'orders', 'subscriptions']) {
    await t.service.pool.query(
      `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(x) || '{"test_mode": false, "subscription_id": null, "connection_id": null}')).*
        from ${table} x where x.workspace_id = $1 and x.test_mode`,
      [workspaceId()],
    );
  }
}

describe('D17 D51 what an admin of the installation does', () => {
  it('holds until an admin takes it back; suspended, reads work and writes do not', async () => {
    expect((await ofRoot('suspend')).body.data.workspace).toMatchObject({
      state: 'suspended',
      stateBy: 'admin',
    });
    settle();
    const { workspaces } = (await owner.get('/v0/session')).body.data.session;
    const seen = workspaces.find(({ id }: { id: string }) => id === workspaceId());
    expect(seen).toMatchObject({ state: 'suspended', stateBy: 'admin', warnedUntil: null });
    const letters = await t.service.db
      .selectFrom('accountMails')
      .select(['recipient', 'params'])
      .where('kind', '=', 'workspace_state')
      .orderBy('createdAt', 'desc')
      .execute();
    expect(letters[0]?.recipient).toBe('owner@shop.example');
    expect(letters[0]?.params).toMatchObject({ step: 'suspended', by: 'admin' });
    expect((await owner.get('/v0/discounts/list')).status).toBe(200);
    const discount = { type: 'sale', name: 'Spring', amount: 10, amountType: 'percentage' };
    await expectRefusal(owner.post('/v0/discounts/create', discount), 403, 'workspace_suspended');
    await expectRefusal(t.test.post('/v0/discounts/create', discount), 403, 'workspace_suspended');
    await expectRefusal(owner.post('/v0/workspace/reactivate'), 409, 'workspace_state');
    expect((await ofRoot('reactivate')).body.data.workspace).toMatchObject({
      state: 'active',
      stateBy: null,
    });
    await expectRefusal(ofRoot('reactivate'), 409, 'workspace_state');
    settle();
  });

  it('is hidden from everybody else', async () => {
    for (const browser of [owner, openBrowser(t)]) {
      await expectRefusal(browser.get('/v0/installation/status'), 404, 'route_not_found');
      await expectRefusal(browser.get('/v0/installation/workspaces/list'), 404, 'route_not_found');
    }
    await expectRefusal(t.live.get('/v0/installation/status'), 404, 'route_not_found');
    const nowhere = root.patch(`/v0/installation/workspaces/${randomUUID()}/suspend`);
    await expectRefusal(nowhere, 404, 'workspace_not_found');
  });

  it('sees the installation, its workspaces and accounts, and no store’s data', async () => {
    const { status } = (await root.get('/v0/installation/status')).body.data;
    expect(status).toMatchObject({ signUp: 'open', mailServer: false });
    expect(status.workspaces.active).toBeGreaterThan(2);
    const { workspaces } = (await root.get('/v0/installation/workspaces/list', { query: { term: 'First' } }))
      .body.data;
    expect(workspaces[0]).toMatchObject({ ownerEmail: 'owner@shop.example', paidOrders: 2 });
    const { accounts } = (await root.get('/v0/installation/accounts/list')).body.data;
    expect(accounts.find(({ email }: { email: string }) => email === ROOT).installationAdmin).toBe(true);
    await expectRefusal(root.post('/v0/installation/smtp-test'), 409, 'mail_server_missing');
  });

  it('closes accounts, but never the last one that runs it', async () => {
    const { accounts } = (await root.get('/v0/installation/accounts/list')).body.data;
    const idOf = (email: string) => accounts.find((one: { email: string }) => one.email === email).id;
    // The first workspaces' owners run nothing.
    await expectRefusal(root.patch(`/v0/installation/accounts/${idOf(ROOT)}/disable`), 409, 'last_admin');
    const path = `/v0/installation/accounts/${idOf('admin@first.example')}`;
    const admin = await openSignedIn(t, 'admin@first.example');
    expect((await root.patch(`${path}/disable`)).body.data.account.disabledAt).toBe(clock.nowMs);
    settle();
    await expectRefusal(admin.get('/v0/session'), 401, 'session_required');
    expect((await root.patch(`${path}/enable`)).body.data.account.disabledAt).toBeNull();
    expect(
      (await root.patch(`${path}/update`, { installationAdmin: true })).body.data.account.installationAdmin,
    ).toBe(true);
  });

  it('shows when the sweep would come, by its days', async () => {
    const bad = root.patch('/v0/installation/settings/update', { sweepDays: { archive: 91 } });
    await expectRefusal(bad, 400, 'invalid_input');
    const { settings } = (
      await root.patch('/v0/installation/settings/update', { sweepDays: { suspend: 100 } })
    ).body.data;
    expect(settings.sweepDays).toEqual({ ...SWEEP_DAYS, suspend: 100 });
    const { sweep } = (await root.get('/v0/installation/sweep')).body.data;
    expect(sweep.isOn).toBe(false);
    const second = sweep.upcoming.find(({ name }: { name: string }) => name === 'Second');
    expect(second).toMatchObject({ step: 'suspended', at: second.lastActiveAt + 100 * DAY_MS });
  });
});

describe('D51 the sweep', () => {
  const stateOf = async (id: string) =>
    (await t.service.db.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst())?.state;
  /** A round of it, and what it mailed counts as sent. */
  async function round(): Promise<void> {
    const mail = { send: async () => ({ kind: 'sent' as const }), close: async () => {} };
    const service = Object.create(t.service, { mail: { value: mail } });
    await sweepWorkspaces(service, { days: SWEEP_DAYS, signal: new AbortController().signal });
    await t.service.db.updateTable('accountMails').set({ status: 'sent', params: null }).execute();
  }

  it('warns twice, suspends, archives and purges what nobody uses, and nothing else', async () => {
    const swept = t.other.scope.workspaceId;
    await ofRoot('archive');
    for (let day = 0; day < 400 && (await stateOf(swept)) === 'active'; day += 1) {
      pass(DAY_MS);
      await round();
    }
    expect(await stateOf(swept)).toBe('suspended');
    const told = await t.service.db
      .selectFrom('accountMails')
      .selectAll()
      .where('kind', '=', 'inactivity')
      .where('recipient', '=', 'owner@second.example')
      .execute();
    expect(told).toHaveLength(3);
    expect(clock.nowMs - Math.max(...told.map(({ createdAt }) => createdAt))).toBeGreaterThanOrEqual(
      3 * DAY_MS,
    );
    for (let day = 0; day < 100 && (await stateOf(swept)) === 'suspended'; day += 1) {
      pass(DAY_MS);
      await round();
    }
    expect(await stateOf(swept)).toBe('archived');
    for (let day = 0; day < 100 && (await stateOf(swept)) === 'archived'; day += 1) {
      pass(DAY_MS);
      await round();
    }
    expect(await stateOf(swept)).toBeUndefined();
    // What an admin archived stays as it is for ever.
    expect(await stateOf(workspaceId())).toBe('archived');
  });
});
