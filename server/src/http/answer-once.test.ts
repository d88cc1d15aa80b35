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
import { portalOf } from '../../test/support/portal.ts';

let t: TestApp;
let ada: Browser;
let ben: Browser;
beforeAll(async () => {
  t = await createTestApp({ SIGN_UP: 'open' });
  for (const email of ['ada@keys.example', 'ben@keys.example']) await makeAccount(t, { email });
  ada = await openSignedIn(t, 'ada@keys.example');
  ben = await openSignedIn(t, 'ben@keys.example');
});
afterAll(() => t.close());

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
const shop = (name: string) => ({ name, country: 'DE', currency: 'EUR' });
const idOf = ({ body }: { body: { data: { workspace: { id: string } } } }) => body.data.workspace.id;
const create = (who: Browser, name: string, key: string) =>
  who.post('/v0/workspaces/create', shop(name), keyed(key));

describe('an Idempotency-Key of what belongs to no store', () => {
  it('makes one workspace of a request that is sent again, and says so', async () => {
    const first = await create(ada, 'Once', 'one');
    const again = await create(ada, 'Once', 'one');
    expect(idOf(again)).toBe(idOf(first));
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('makes one of five that come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(ada, 'At once', 'five')));
    const ids = answers.filter(({ status }) => status === 200).map(idOf);
    expect(new Set(ids).size).toBe(1);
    for (const { status, body } of answers)
      if (status !== 200) expect(body.error.code).toBe('request_in_progress');
  });

  it('is its account’s own, and stands for one request', async () => {
    const first = await create(ada, 'Mine', 'same');
    expect(idOf(await create(ben, 'Mine', 'same'))).not.toBe(idOf(first));
    await expectRefusal(create(ada, 'Other', 'same'), 422, 'idempotency_key_reused');
    await expectRefusal(create(ada, 'Long', 'x'.repeat(256)), 400, 'invalid_idempotency_key');
  });

  it('is free again after a refusal', async () => {
    const open = () =>
      openBrowser(t).post('/v0/session/link/open', { token: 'x'.repeat(43) }, keyed('again'));
    await expectRefusal(open(), 400, 'link_invalid');
    await expectRefusal(open(), 400, 'link_invalid');
    const kept = t.service.db.selectFrom('accountIdempotencyKeys').select('key').where('key', '=', 'again');
    expect(await kept.execute()).toEqual([]);
  });

  it('keeps no answer that signs in', async () => {
    const browser = openBrowser(t);
    const sign = () =>
      browser.post('/v0/session', { email: 'ada@keys.example', password: PASSWORD }, keyed('in'));
    expect((await sign()).status).toBe(200);
    browser.cookies.clear();
    await expectRefusal(sign(), 409, 'answer_not_kept');
  });

  it('goes on where the process died before it had an answer', async () => {
    const { db } = t.service;
    await create(ada, 'Died', 'dead');
    const unanswered = { endedAt: null, response: null, leaseUntil: 0 };
    await db.updateTable('accountIdempotencyKeys').set(unanswered).where('key', '=', 'dead').execute();
    const again = await create(ada, 'Died', 'dead');
    expect(again.status).toBe(200);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
  });

  it('hears a statement at a portal’s door once', async () => {
    const { store } = await portalOf(t, t.live);
    const body = { store, name: 'Ada', email: 'ada@example.com', orderNumber: 'NONE' };
    const options = { keys: 'none' as const, body, ...keyed('stated') };
    const state = () => t.live.request('POST', '/v0/portal/withdrawals', options);
    const first = await state();
    const again = await state();
    expect(again.body.data.withdrawal.number).toBe(first.body.data.withdrawal.number);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });
});
