import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { scopeColumns } from '../db/scope.ts';
import { OLD_REMINDERS } from '../resources/checkouts/reminders.queries.ts';
import { OLD_EVENTS } from '../resources/processors/processor-events.queries.ts';
import { sweepAccountRows, sweepOver, sweepPortalRows } from './sweeps.ts';

const DAY_MS = 24 * 3_600_000;
const OVER_MS = 1;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const signal = new AbortController().signal;

interface Code {
  store?: TestStore;
  endsInMs: number;
}

/** A code of a portal and the mail that told it; answers its id. */
async function keepCode({ store = app.test, endsInMs }: Code): Promise<string> {
  const id = app.service.ids.next(Date.now());
  const scope = scopeColumns(store.scope);
  const nowMs = Date.now();
  await app.service.db
    .insertInto('portalCodes')
    .values({
      ...{ ...scope, id, askedAs: 'email', mailboxHash: id, browserHash: 'browser', language: 'en' },
      ...{ createdAt: nowMs, endsAt: nowMs + endsInMs },
    })
    .execute();
  await app.service.db
    .insertInto('mails')
    .values({
      ...{
        ...scope,
        id,
        kind: 'magic_link',
        key: `magic_link:${id}`,
        recipient: 'ada@example.com',
        language: 'en',
      },
      ...{
        params: '{"code":"123456"}',
        letter: '{"title":"123456"}',
        html: '<p>123456</p>',
        plain: '123456',
        status: 'kept',
        createdAt: nowMs,
      },
    })
    .execute();
  return id;
}

async function wordsOf(id: string) {
  return app.service.db
    .selectFrom('mails')
    .select(['letter', 'html', 'plain', 'params'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

describe('the sweep of portals', () => {
  it('takes codes of all stores that are over, and the words of their mails, and no other', async () => {
    const over = [
      await keepCode({ endsInMs: -OVER_MS }),
      await keepCode({ store: app.live, endsInMs: -OVER_MS }),
      await keepCode({ store: app.other, endsInMs: -OVER_MS }),
    ];
    const open = await keepCode({ endsInMs: DAY_MS });
    expect(await sweepPortalRows(app.service.db, signal)).toBe(3);
    const left = await app.service.db.selectFrom('portalCodes').select('id').execute();
    expect(left).toEqual([{ id: open }]);
    for (const id of over)
      expect(await wordsOf(id)).toEqual({ letter: null, html: null, plain: null, params: {} });
    expect(await wordsOf(open)).toMatchObject({ plain: '123456' });
  });

  it('takes minutes of failures, and former addresses, that are over', async () => {
    const minute = Math.floor(Date.now() / 60_000);
    for (const ago of [61, 59, 0])
      await app.service.db
        .insertInto('portalFailures')
        .values({ ...scopeColumns(app.test.scope), minute: minute - ago, failures: 1 })
        .execute();
    const { workspaceId } = app.test.scope;
    for (const [slug, endsAt] of [
      ['former', Date.now() - OVER_MS],
      ['lately', Date.now() + DAY_MS],
    ] as const)
      await app.service.db.insertInto('portalFormerSlugs').values({ workspaceId, slug, endsAt }).execute();
    expect(await sweepPortalRows(app.service.db, signal)).toBe(2);
    const slugs = await app.service.db.selectFrom('portalFormerSlugs').select('slug').execute();
    expect(slugs).toEqual([{ slug: 'lately' }]);
  });
});

describe('a sweep of all stores', () => {
  it('leaves to others what they have in hand, and comes back for it', async () => {
    const scope = scopeColumns(app.test.scope);
    const remindedAt = Date.now() - 400 * DAY_MS;
    for (const addressHash of ['held', 'free'])
      await app.service.db
        .insertInto('remindedAddresses')
        .values({ ...scope, addressHash, remindedAt })
        .execute();
    const held = await app.service.pool.connect();
    await held.query("begin; select from reminded_addresses where address_hash = 'held' for update");
    expect(await sweepOver(app.service.db, signal, OLD_REMINDERS)).toBe(1);
    await held.query('rollback');
    held.release();
    expect(await sweepOver(app.service.db, signal, OLD_REMINDERS)).toBe(1);
  });

  it('takes more than a batch, of every store', async () => {
    const many = sql`select w.id, t.mode, 'a' || g.n, 0 from workspaces w, (values (true), (false)) t (mode),
      generate_series(1, 400) g (n)`;
    await sql`insert into reminded_addresses (workspace_id, test_mode, address_hash, reminded_at) ${many}`.execute(
      app.service.db,
    );
    expect(await sweepOver(app.service.db, signal, OLD_REMINDERS)).toBe(1_600);
  });
});

describe('O32 what is kept for days of real time', () => {
  const ago = (days: number) => Math.round(Date.now() - days * DAY_MS);
  const hour = 1 / 24;

  it('takes what processors told after 30 days, once it is done, and never what is parked', async () => {
    const { pool } = app.service;
    const { body } = await app.test.post('/v0/processors/connect', {
      ...{ kind: 'manual', name: 'Bank', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', holder: 'M' },
    });
    const { workspaceId, testMode } = app.test.scope;
    const tell = (name: string, status: string, days: number) =>
      pool.query(
        `insert into processor_events (workspace_id, test_mode, id, connection_id, event_id, type, object_kind, object_id,
           status, happened_at, received_at) values ($1, $2, gen_random_uuid(), $3, $4, 't', 'charge', 'o', $5, $6, $6)`,
        [workspaceId, testMode, body.data.processor.id, name, status, ago(days)],
      );
    await tell('over', 'done', 30 + hour);
    await tell('left', 'done', 30 - hour);
    await tell('parked', 'parked', 400);
    expect(await sweepOver(app.service.db, signal, OLD_EVENTS)).toBe(1);
    const { rows } = await pool.query('select event_id from processor_events order by 1');
    expect(rows).toEqual([{ event_id: 'left' }, { event_id: 'parked' }]);
  });

  it('keeps ended sessions of accounts and buyers for 7 days', async () => {
    const { pool } = app.service;
    const kept = 7 - hour;
    const over = 7 + hour;
    // Ended by its two weeks, and by a day without use.
    for (const [name, usedDays, endedDays] of [
      ['living', 0, -1],
      ['ended', kept + 1, kept],
      ['idle', kept + 1, -1],
      ['ended long ago', over, over],
      ['idle long ago', over + 1, -1],
    ] as const)
      await pool.query(
        `insert into account_sessions (id, account_id, token_hash, method, two_factor, ip_address, user_agent,
           created_at, used_at, ends_at)
         values (gen_random_uuid(), gen_random_uuid(), $1, 'password', false, '', '', 0, $2, $3)`,
        [name, ago(usedDays), ago(endedDays)],
      );
    await sweepAccountRows(app.service.db, signal);
    const { rows } = await pool.query('select token_hash from account_sessions order by 1');
    expect(rows.map(({ token_hash }) => token_hash)).toEqual(['ended', 'idle', 'living']);
    const { user } = (await app.test.post('/v0/users/create', { email: 'ada@example.com' })).body.data;
    const opened = await app.test.post('/v0/portal-sessions/create', { userId: user.id });
    const { id } = opened.body.data.portalSession;
    for (const [days, left] of [
      [kept, 1],
      [over, 0],
    ] as const) {
      await pool.query('update portal_sessions set ends_at = $2 where id = $1', [id, ago(days)]);
      await sweepPortalRows(app.service.db, signal);
      const { rowCount } = await pool.query('select from portal_sessions where id = $1', [id]);
      expect(rowCount).toBe(left);
    }
  });

  it('takes letters to accounts after 7 days, failures of nobody after one, and nothing that the operator did', async () => {
    const { pool } = app.service;
    for (const [recipient, days] of [
      ['over@example.com', 7 + hour],
      ['left@example.com', 7 - hour],
    ] as const)
      await pool.query(
        `insert into account_mails (id, kind, recipient, status, due_at, ends_at, created_at)
         values (gen_random_uuid(), 'link', $1, 'sent', $2, $2, $2)`,
        [recipient, ago(days)],
      );
    for (const operation of ['signInFailed', 'signInThrottled', 'holdInstallation', 'resumeInstallation'])
      await pool.query(
        'insert into account_audit (id, operation, created_at) values (gen_random_uuid(), $1, $2)',
        [operation, ago(2)],
      );
    await sweepAccountRows(app.service.db, signal);
    const { rows: mails } = await pool.query('select recipient from account_mails');
    expect(mails).toEqual([{ recipient: 'left@example.com' }]);
    const { rows: told } = await pool.query('select operation from account_audit order by 1');
    expect(told).toEqual([{ operation: 'holdInstallation' }, { operation: 'resumeInstallation' }]);
  });
});
