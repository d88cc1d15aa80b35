/** Whoever invites is shown a link that lets in whoever has it: it ends with their say. */
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
import { setDisabled } from '../flows/accounts/operate-accounts.ts';
import { findAccountByEmail } from '../resources/accounts/accounts.queries.ts';

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
  owner = await openSignedIn(t, 'owner@team.example');
});
afterAll(() => t.close());

const pass = (ms: number) => {
  clock.nowMs += ms;
  clock.monotonicMs += ms;
};
const again = async (email = 'owner@team.example') => openSignedIn(t, email);
const tokenOf = (url: string) => url.split('#')[1] ?? '';
const invite = async (email: string, role = 'support', more: Record<string, unknown> = {}) => {
  const { body, text } = await owner.post('/v0/invitations/create', { email, role, ...more });
  expect(text).toContain('"status":"success"');
  return { id: String(body.data.invitation.id), token: tokenOf(body.data.url), body };
};
const memberOf = async (email: string) => {
  const { members } = (await owner.get('/v0/members/list', { query: { take: '100' } })).body.data;
  return members.find((one: { email: string }) => one.email === email);
};
const someone = { name: 'Grace', password: PASSWORD };

describe('D15 what somebody has invited', () => {
  const adminOf = async (email: string) => {
    await makeAccount(t, { email, member: { workspaceId: t.test.scope.workspaceId, role: 'admin' } });
    const admin = await again(email);
    const asked = { email: `back.door.of.${email}`, role: 'manager' };
    const { body } = await admin.post('/v0/invitations/create', asked);
    return { admin, token: tokenOf(body.data.url), ...(await memberOf(email)) };
  };
  const expectShut = async (token: string) => {
    for (const [path, body] of [
      ['open', { token }],
      ['accept', { token, ...someone }],
    ] as const)
      await expectRefusal(openBrowser(t).post(`/v0/invitations/${path}`, body), 400, 'invitation_invalid');
  };

  it('is over when they are removed, leave, or may invite no more', async () => {
    owner = await again();
    const removed = await adminOf('removed@team.example');
    expect((await owner.delete(`/v0/members/${removed.id}/remove`)).status).toBe(200);
    await expectShut(removed.token);
    const gone = await adminOf('gone@team.example');
    expect((await gone.admin.post('/v0/members/leave')).status).toBe(200);
    await expectShut(gone.token);
    const lowered = await adminOf('lowered@team.example');
    expect((await owner.patch(`/v0/members/${lowered.id}/update`, { role: 'support' })).status).toBe(200);
    await expectShut(lowered.token);
  });

  it('is over when the operator disables their account', async () => {
    const { token } = await adminOf('disabled@team.example');
    const account = await findAccountByEmail(t.service.db, 'disabled@team.example');
    if (!account) throw new Error('no account');
    await setDisabled({ ...t.service, nowMs: clock.nowMs }, { account, isDisabled: true });
    await expectShut(token);
  });

  it('stays where somebody else has sent it again since, and others’ does', async () => {
    const kept = await invite('kept@team.example');
    const removed = await adminOf('second@team.example');
    const { invitations } = (await owner.get('/v0/invitations/list')).body.data;
    const email = 'back.door.of.second@team.example';
    const { id } = invitations.find((one: { email: string }) => one.email === email);
    const resent = await owner.post(`/v0/invitations/${id}/resend`);
    expect((await owner.delete(`/v0/members/${removed.id}/remove`)).status).toBe(200);
    await expectShut(removed.token);
    for (const token of [kept.token, tokenOf(resent.body.data.url)])
      expect((await openBrowser(t).post('/v0/invitations/open', { token })).status).toBe(200);
  });

  it('is sent again to an Admin after a fresh proof alone', async () => {
    const { id } = await invite('next.admin@team.example', 'admin');
    const other = await invite('next.support@team.example');
    pass(11 * 60_000);
    const resend = (one: string) => owner.post(`/v0/invitations/${one}/resend`);
    await expectRefusal(resend(id), 403, 'reauthentication_required');
    expect((await resend(other.id)).status).toBe(200);
    owner = await again();
    expect((await resend(id)).status).toBe(200);
  });
});
