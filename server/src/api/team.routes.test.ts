import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Browser,
  makeAccount,
  openBrowser,
  openSignedIn,
  PASSWORD,
} from '../../test/support/browser.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { inTransaction } from '../db/transaction.ts';
import { queueOwnerMails } from '../flows/outbox/queue-mail.ts';

const DAY_MS = 86_400_000;

let t: TestApp;
let owner: Browser;
const clock = { nowMs: Date.now(), monotonicMs: 0 };
beforeAll(async () => {
  t = await createTestApp({}, undefined, {
    realNowMs: () => clock.nowMs,
    monotonicMs: () => clock.monotonicMs,
  });
  const { workspaceId } = t.test.scope;
  await t.service.db.deleteFrom('memberships').where('workspaceId', '=', workspaceId).execute();
  await makeAccount(t, { email: 'owner@team.example', member: { workspaceId, role: 'owner' } });
  await makeAccount(t, { email: 'manager@team.example', member: { workspaceId, role: 'manager' } });
  await makeAccount(t, { email: 'stranger@team.example', member: null });
  owner = await openSignedIn(t, 'owner@team.example');
});
afterAll(() => t.close());

const pass = (ms: number) => {
  clock.nowMs += ms;
  clock.monotonicMs += ms;
};
/** What was remembered of a session a moment ago is read anew. */
const settle = () => pass(5_000);
const again = async (email = 'owner@team.example') => openSignedIn(t, email);
const tokenOf = (url: string) => url.split('#')[1] ?? '';
const invite = async (email: string, role = 'support', more: Record<string, unknown> = {}) => {
  const { body, text } = await owner.post('/v0/invitations/create', { email, role, ...more });
  expect(text).toContain('"status":"success"');
  return { id: String(body.data.invitation.id), token: tokenOf(body.data.url), body };
};
async function mailedToken(email: string): Promise<string> {
  const row = await t.service.db
    .selectFrom('accountMails')
    .select('params')
    .where('recipient', '=', email)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return tokenOf((row.params as { url: string }).url);
}
const memberOf = async (email: string) => {
  const { members } = (await owner.get('/v0/members/list', { query: { take: '100' } })).body.data;
  return members.find((one: { email: string }) => one.email === email);
};
const someone = { name: 'Grace', password: PASSWORD };

describe('D15 invitations', () => {
  it('make a member, by either of two links, once', async () => {
    const { token, body } = await invite('grace@team.example', 'support', { notifications: ['disputes'] });
    expect(body.data.url).toContain('http://localhost:3000/dashboard/invitation#');
    const mailed = await mailedToken('grace@team.example');
    expect(mailed).not.toBe(token);
    const guest = openBrowser(t);
    const opened = await guest.post('/v0/invitations/open', { token });
    expect(opened.body.data.invitation).toMatchObject({ email: 'grace@team.example', hasAccount: false });
    await expectRefusal(guest.post('/v0/invitations/accept', { token }), 400, 'invalid_input');
    const weak = { token, name: 'Grace', password: 'short' };
    await expectRefusal(guest.post('/v0/invitations/accept', weak), 400, 'password_too_weak');
    const accepted = await guest.post('/v0/invitations/accept', { token: mailed, ...someone });
    expect(accepted.body.data).toEqual({ workspaceId: t.test.scope.workspaceId, isSignedIn: true });
    expect((await guest.get('/v0/members/list')).status).toBe(200);
    expect(await memberOf('grace@team.example')).toMatchObject({
      role: 'support',
      notifications: ['disputes'],
    });
    for (const used of [token, mailed])
      await expectRefusal(
        openBrowser(t).post('/v0/invitations/open', { token: used }),
        400,
        'invitation_invalid',
      );
  });

  it('make a browser known, which a stranger’s wrong passwords do not shut out', async () => {
    const email = 'known@team.example';
    const { token } = await invite(email);
    const guest = openBrowser(t);
    expect((await guest.post('/v0/invitations/accept', { token, ...someone })).status).toBe(200);
    for (let tries = 0; tries < 5; tries += 1)
      await expectRefusal(openBrowser(t).signIn(email, 'not the password'), 401, 'invalid_credentials');
    await expectRefusal(openBrowser(t).signIn(email), 429, 'too_many_attempts');
    expect((await guest.signIn(email)).status).toBe(200);
  });

  it('to a member, or by whoever may not, are refused', async () => {
    const twice = owner.post('/v0/invitations/create', { email: 'Grace@team.example', role: 'support' });
    await expectRefusal(twice, 409, 'member_exists');
    const manager = await again('manager@team.example');
    const byManager = manager.post('/v0/invitations/create', { email: 'x@team.example', role: 'support' });
    await expectRefusal(byManager, 403, 'insufficient_permission');
    const asOwner = owner.post('/v0/invitations/create', { email: 'x@team.example', role: 'owner' });
    await expectRefusal(asOwner, 400, 'invalid_input');
    const byPair = t.test.post('/v0/invitations/create', { email: 'x@team.example', role: 'admin' });
    await expectRefusal(byPair, 401, 'session_required');
  });

  it('are for one e-mail: another account is refused, and whoever has one signs in', async () => {
    const { token } = await invite('late@team.example');
    const stranger = await again('stranger@team.example');
    await expectRefusal(stranger.post('/v0/invitations/accept', { token }), 403, 'invitation_email_mismatch');
    await makeAccount(t, { email: 'late@team.example', member: null });
    await expectRefusal(
      openBrowser(t).post('/v0/invitations/accept', { token, ...someone }),
      401,
      'session_required',
    );
    const late = await again('late@team.example');
    expect((await late.post('/v0/invitations/accept', { token })).status).toBe(200);
    settle();
    expect((await late.get('/v0/workspaces/list')).body.data.workspaces).toMatchObject([{ role: 'support' }]);
  });

  it('that are revoked, sent again or over open nothing', async () => {
    const { id, token } = await invite('often@team.example');
    const resent = await owner.post(`/v0/invitations/${id}/resend`);
    await expectRefusal(openBrowser(t).post('/v0/invitations/open', { token }), 400, 'invitation_invalid');
    const next = tokenOf(resent.body.data.url);
    expect((await openBrowser(t).post('/v0/invitations/open', { token: next })).status).toBe(200);
    await owner.delete(`/v0/invitations/${id}/revoke`);
    await expectRefusal(
      openBrowser(t).post('/v0/invitations/open', { token: next }),
      400,
      'invitation_invalid',
    );
    await expectRefusal(owner.post(`/v0/invitations/${id}/resend`), 400, 'invitation_invalid');
    const other = await invite('never@team.example');
    pass(7 * DAY_MS);
    const over = openBrowser(t).post('/v0/invitations/open', { token: other.token });
    await expectRefusal(over, 400, 'invitation_invalid');
    owner = await again();
  });

  it('D52 an account made by the shown link accepts none of another workspace', async () => {
    const { token } = await invite('shown@team.example');
    const guest = openBrowser(t);
    expect((await guest.post('/v0/invitations/accept', { token, ...someone })).status).toBe(200);
    await makeAccount(t, {
      email: 'admin@second.example',
      member: { workspaceId: t.other.scope.workspaceId, role: 'admin' },
    });
    const elsewhere = await openSignedIn(t, 'admin@second.example', t.other);
    const second = await elsewhere.post('/v0/invitations/create', {
      email: 'shown@team.example',
      role: 'admin',
    });
    const secondToken = tokenOf(second.body.data.url);
    await expectRefusal(
      guest.post('/v0/invitations/accept', { token: secondToken }),
      403,
      'email_not_proved',
    );
    const create = { name: 'Mine', country: 'DE', currency: 'EUR' };
    await expectRefusal(guest.post('/v0/workspaces/create', create), 403, 'sign_up_closed');
  });

  it('of a Custom member say what may be done', async () => {
    const custom = (permissions: unknown) =>
      owner.post('/v0/invitations/create', { email: 'c@team.example', role: 'custom', permissions });
    await expectRefusal(custom(undefined), 400, 'invalid_input');
    await expectRefusal(custom({ members: 'write' }), 400, 'invalid_input');
    await expectRefusal(custom({ ledger: 'write' }), 400, 'invalid_input');
    expect((await custom({ orders: 'read' })).status).toBe(200);
  });
});

describe('members', () => {
  it('change role within 5 seconds, to and from Admin by a fresh proof', async () => {
    const { id } = await memberOf('manager@team.example');
    const manager = await again('manager@team.example');
    expect((await manager.get('/v0/ledger/balances')).status).toBe(200);
    expect(
      (await owner.patch(`/v0/members/${id}/update`, { role: 'support' })).body.data.member.version,
    ).toBe(2);
    settle();
    await expectRefusal(manager.get('/v0/ledger/balances'), 403, 'insufficient_permission');
    pass(11 * 60_000);
    const raise = owner.patch(`/v0/members/${id}/update`, { role: 'admin' });
    await expectRefusal(raise, 403, 'reauthentication_required');
    expect((await owner.patch(`/v0/members/${id}/update`, { role: 'manager' })).status).toBe(200);
    owner = await again();
    expect((await owner.patch(`/v0/members/${id}/update`, { role: 'admin' })).status).toBe(200);
  });

  it('are changed by one of two who edit at once', async () => {
    const { id, version } = await memberOf('manager@team.example');
    const headers = { 'if-match': `"${version}"` };
    const change = (notifications: string[]) =>
      owner.patch(`/v0/members/${id}/update`, { notifications }, { headers });
    const first = await change(['stock']);
    expect(first.headers.etag).toBe(`"${version + 1}"`);
    const second = await change(['disputes']);
    expect(second.status).toBe(412);
    expect(second.body.error.code).toBe('edit_conflict');
    expect(second.body.error.details[0].current).toMatchObject({ id, notifications: ['stock'] });
  });

  it('are told by mail of what they wish to hear, in their language; the Owner of everything', async () => {
    const { workspaceId } = t.test.scope;
    const language = async (email: string) =>
      t.service.db.updateTable('accounts').set({ language: 'de' }).where('email', '=', email).execute();
    for (const wish of ['disputes', 'stock', 'webhooks'])
      await makeAccount(t, { email: `${wish}@team.example`, member: { workspaceId, role: 'support' } });
    await language('disputes@team.example');
    for (const wish of ['disputes', 'stock', 'webhooks'])
      await owner.patch(`/v0/members/${(await memberOf(`${wish}@team.example`)).id}/update`, {
        notifications: [wish],
      });
    const told = [
      { kind: 'dispute_opened', params: { orderNumber: 'A', amountMinor: 100, currency: 'EUR' } },
      { kind: 'low_stock', params: { offerName: 'Nebula', available: 1 } },
      { kind: 'webhook_disabled', params: { url: 'https://shop.example', reason: null } },
    ] as const;
    await inTransaction(t.service.db, (tx) =>
      queueOwnerMails(
        tx,
        t.test.scope,
        told.map((one) => ({ ...one, key: one.kind, at: 1 })),
      ),
    );
    const rows = await t.service.db
      .selectFrom('mails')
      .select(['kind', 'recipient', 'language'])
      .where('workspaceId', '=', workspaceId)
      .where('recipient', 'like', '%@team.example')
      .orderBy('kind')
      .orderBy('recipient')
      .execute();
    for (const [kind, wish] of [
      ['dispute_opened', 'disputes'],
      ['low_stock', 'stock'],
      ['webhook_disabled', 'webhooks'],
    ]) {
      const to = rows.filter((row) => row.kind === kind).map(({ recipient }) => recipient);
      expect(to).toContain('owner@team.example');
      const wishing = to.filter((email) => /^(disputes|stock|webhooks)@/.test(email));
      expect(wishing).toEqual([`${wish}@team.example`]);
    }
    expect(rows.find(({ recipient }) => recipient === 'disputes@team.example')?.language).toBe('de');
  });

  it('D15 the Owner neither leaves nor is changed, and an Admin decides nothing of the Owner', async () => {
    const { id } = await memberOf('owner@team.example');
    await expectRefusal(owner.post('/v0/members/leave'), 409, 'last_owner');
    await expectRefusal(owner.patch(`/v0/members/${id}/update`, { role: 'support' }), 409, 'last_owner');
    const admin = await again('manager@team.example');
    await expectRefusal(admin.delete(`/v0/members/${id}/remove`), 403, 'insufficient_permission');
  });

  it('leave and are removed, and see nothing of it any more', async () => {
    const late = await again('late@team.example');
    expect((await late.post('/v0/members/leave')).status).toBe(200);
    await expectRefusal(late.get('/v0/members/list'), 404, 'workspace_not_found');
    const { id } = await memberOf('grace@team.example');
    const grace = await again('grace@team.example');
    expect((await owner.delete(`/v0/members/${id}/remove`)).status).toBe(200);
    settle();
    await expectRefusal(grace.get('/v0/members/list'), 404, 'workspace_not_found');
    await expectRefusal(owner.delete(`/v0/members/${id}/remove`), 404, 'not_found');
  });
});

describe('an account’s language', () => {
  it('is one that there are texts in', async () => {
    await makeAccount(t, { email: 'speaks@first.example' });
    const browser = await openSignedIn(t, 'speaks@first.example');
    for (const language of ['de', 'de-AT', 'pt-BR', 'en']) {
      const { body } = await browser.patch('/v0/account/update', { language });
      expect(body.data.account.language).toBe(language);
    }
    for (const language of ['xx', 'sv', 'German', '']) {
      const { status, body } = await browser.patch('/v0/account/update', { language });
      expect([status, body.error?.details?.[0]?.path]).toEqual([400, 'language']);
    }
  });
});

describe('D15 a transfer', () => {
  it('of 20 at once leaves exactly one Owner', async () => {
    const { workspaceId } = t.test.scope;
    const emails = Array.from({ length: 20 }, (_, at) => `heir${at}@team.example`);
    for (const email of emails) await makeAccount(t, { email, member: { workspaceId, role: 'support' } });
    const browsers = [];
    for (const email of emails) browsers.push(await again(email));
    owner = await again();
    const first = await memberOf(emails[0] ?? '');
    const offers = await Promise.all(
      emails.map(async (email) =>
        owner.post('/v0/workspace/transfer', { memberId: (await memberOf(email)).id }),
      ),
    );
    expect(offers.map(({ status }) => status)).toEqual(emails.map(() => 200));
    const taken = await Promise.all(browsers.map((browser) => browser.post('/v0/workspace/transfer/accept')));
    expect(taken.filter(({ status }) => status === 200)).toHaveLength(1);
    const owners = await t.service.db
      .selectFrom('memberships')
      .select('accountId')
      .where('workspaceId', '=', workspaceId)
      .where('role', '=', 'owner')
      .execute();
    expect(owners).toHaveLength(1);
    settle();
    await expectRefusal(
      owner.post('/v0/workspace/transfer', { memberId: first.id }),
      403,
      'insufficient_permission',
    );
    expect((await memberOf('owner@team.example')).role).toBe('admin');
  });

  it('that is withdrawn, or that nobody made, is not there', async () => {
    await expectRefusal(owner.post('/v0/workspace/transfer/accept'), 404, 'not_found');
    const now = await t.service.db
      .selectFrom('memberships as m')
      .innerJoin('accounts as a', 'a.id', 'm.accountId')
      .select('a.email')
      .where('m.workspaceId', '=', t.test.scope.workspaceId)
      .where('m.role', '=', 'owner')
      .executeTakeFirstOrThrow();
    const next = await again(now.email);
    const { id } = await memberOf('owner@team.example');
    await next.post('/v0/workspace/transfer', { memberId: id });
    const { kind, recipient } = await t.service.db
      .selectFrom('accountMails')
      .selectAll()
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect([kind, recipient]).toEqual(['transfer', 'owner@team.example']);
    expect((await next.post('/v0/workspace/transfer/withdraw')).body.data.workspace.transfer).toBeNull();
    await expectRefusal(owner.post('/v0/workspace/transfer/accept'), 404, 'not_found');
    await next.post('/v0/workspace/transfer', { memberId: id });
    expect((await owner.post('/v0/workspace/transfer/accept')).body.data.workspace.role).toBe('owner');
    settle();
  });
});

describe('D19 the audit log', () => {
  it('tells who did what to the workspace, its people and its store, and no secret', async () => {
    const made = await owner.post('/v0/api-keys/create', { name: 'Told', scopes: ['orders:read'] });
    const { token } = await invite('told@team.example');
    const { body, text } = await owner.get('/v0/audit-log/list', { query: { take: '100' } });
    const told = (operation: string) =>
      body.data.auditEntries.find((entry: { operation: string }) => entry.operation === operation);
    expect(told('createApiKey')).toMatchObject({ actor: expect.stringMatching(/^account:/), mode: 'test' });
    expect(told('createInvitation')).toMatchObject({ mode: null });
    expect(told('acceptTransfer')).toBeDefined();
    expect(told('signIn')).toMatchObject({ mode: null });
    for (const secret of [made.body.data.secretKey, token, PASSWORD]) expect(text).not.toContain(secret);
    const { auditEntries } = (
      await owner.get('/v0/audit-log/list', { query: { operation: 'createInvitation', take: '2' } })
    ).body.data;
    expect(auditEntries).toHaveLength(2);
  });

  it('tells what belongs to no store in real time, however far the test clock is ahead', async () => {
    await t.test.post('/v0/test-clock/advance', { by: { days: 40 } });
    const { id } = await invite('ahead@team.example');
    const { auditEntries } = (
      await owner.get('/v0/audit-log/list', { query: { operation: 'createInvitation', objectId: id } })
    ).body.data;
    expect(auditEntries).toMatchObject([{ mode: null, createdAt: clock.nowMs }]);
  });

  it('is paged without a gap', async () => {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { take: '20', ...(cursor === null ? {} : { cursor }) };
      const { data } = (await owner.get('/v0/audit-log/list', { query })).body;
      ids.push(...data.auditEntries.map(({ id }: { id: string }) => id));
      cursor = data.cursor;
    } while (cursor !== null && ids.length < 2_000);
    const { count } = (await owner.get('/v0/audit-log/list', { query: { returnCount: 'true' } })).body.data;
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(count);
  });
});
