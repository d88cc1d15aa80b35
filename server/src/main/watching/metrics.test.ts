import { once } from 'node:events';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, openPage } from '../../../test/support/buying.ts';
import { DECLINED } from '../../../test/support/cards.ts';
import { advance, DAY_MS } from '../../../test/support/clock.ts';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../../test/support/make-catalogue.ts';
import { portOf } from '../../../test/support/port-of.ts';
import { subscribe } from '../../../test/support/subscribing.ts';
import { inTransaction } from '../../db/transaction.ts';
import { finishDueWork } from '../../resources/due-work/due-work.queries.ts';
import { noteProcess } from '../../resources/installation/processes.queries.ts';
import { createLog } from './log.ts';

const TOKEN = 'a token of the operator';
const SERIES_MAX = 3_000;

let app: TestApp;
beforeAll(async () => {
  // As over a PostgreSQL that others may be over, too.
  app = await createTestApp({ METRICS_TOKEN: TOKEN, DATABASE_URL: 'postgres://db.example/shop' });
});
afterAll(() => app.close());

async function read(authorization = `Bearer ${TOKEN}`, of = app) {
  const response = await of.app.inject({ method: 'GET', url: '/metrics', headers: { authorization } });
  return { status: response.statusCode, text: response.payload, type: response.headers['content-type'] };
}

const toSeries = (text: string) => text.split('\n').filter((line) => line && !line.startsWith('#'));

/** The value of one series, by its name and labels as they are written. */
function readSeries(text: string, series: string): number {
  const line = toSeries(text).find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? Number.NaN);
}

describe('GET /metrics', () => {
  it('O42 is 404 where nobody asked for it, 401 without the token, and 200 with it', async () => {
    const without = await createTestApp();
    const missing = await without.app.inject({ method: 'GET', url: '/metrics' });
    await without.close();
    expect(missing.statusCode).toBe(404);
    expect((await read('')).status).toBe(401);
    expect((await read(`Bearer ${TOKEN}x`)).status).toBe(401);
    expect((await read(`bearer ${TOKEN}`)).status).toBe(200);
    const answer = await read();
    expect([answer.status, answer.type]).toEqual([200, expect.stringContaining('text/plain')]);
  });

  it('O42 tells of a purchase what requests, store, jobs and processor did', async () => {
    const before = (await read()).text;
    const offersIds = [await makeOffer(app.test)];
    const { status, body } = await buy(app.test, { offersIds });
    expect(status).toBe(200);
    await app.wired.worker.runDue();
    await app.app.inject({ method: 'GET', url: new URL(body.data.payment.invoiceUrl).pathname });
    // An alert asks for the increase of these.
    for (const name of [
      'job_failures_total{kind="send_mail"}',
      'documents_total{outcome="lost"}',
      'renewals_total{mode="live",type="subscription_interval",outcome="paid"}',
    ])
      expect(readSeries(before, `counterfoil_${name}`)).toBe(0);
    const { text } = await read();
    const route = '{route="/v0/test-purchases/create",method="POST",code="2xx"}';
    expect(readSeries(text, `counterfoil_http_requests_total${route}`)).toBe(1);
    expect(
      readSeries(text, 'counterfoil_charge_outcomes_total{processor="sandbox",outcome="succeeded"}'),
    ).toBe(1);
    expect(readSeries(text, 'counterfoil_job_seconds_count{kind="send_mail"}')).toBeGreaterThan(0);
    expect(readSeries(text, 'counterfoil_mails_total{outcome="kept"}')).toBeGreaterThan(0);
    const commits = 'counterfoil_store_statement_seconds_count{verb="commit"}';
    expect(readSeries(text, commits)).toBeGreaterThan(readSeries(before, commits) || 0);
    expect(readSeries(text, 'counterfoil_documents_total{outcome="drawn"}')).toBe(1);
    expect(readSeries(text, 'counterfoil_store_up')).toBe(1);
    expect(readSeries(text, 'counterfoil_store_bytes{table="orders"}')).toBeGreaterThan(0);
    expect(readSeries(text, 'counterfoil_store_dead_rows{table="orders"}')).toBeGreaterThanOrEqual(0);
    const [built = ''] = toSeries(text).filter((line) => line.startsWith('counterfoil_build_info{'));
    expect(built).toMatch(/^counterfoil_build_info\{version="0\.1\.0",schema="\d{4}_\w+",role="all"\} 1$/);
    expect(readSeries(text, 'counterfoil_store_timeline')).toBeGreaterThan(0);
    expect(readSeries(text, 'counterfoil_held')).toBe(0);
    expect(readSeries(text, 'counterfoil_retention_behind_seconds{table="events"}')).toBe(0);
    expect(readSeries(text, 'counterfoil_http_in_flight')).toBe(1);
  });

  it('O42 knows no request as at work that nobody waits for any more', async () => {
    const own = await createTestApp({ METRICS_TOKEN: TOKEN });
    try {
      await own.app.listen({ port: 0, host: '127.0.0.1' });
      const met = once(own.app.server, 'connection');
      const client = net.connect(portOf(own.app.server), '127.0.0.1').on('error', () => {});
      const [socket] = await met;
      const asked = once(own.app.server, 'request');
      const { publicKey, secretKey } = own.test.keys;
      const keys = `x-svc-public-key: ${publicKey}\r\nx-svc-secret-key: ${secretKey}\r\n`;
      const list = `GET /v0/orders/list HTTP/1.1\r\nhost: a\r\n${keys}\r\n`;
      const body = 'content-type: application/json\r\ncontent-length: 9\r\n\r\n{';
      client.write(`${list.repeat(40)}POST /v0/users/create HTTP/1.1\r\nhost: a\r\n${keys}${body}`);
      await asked;
      const closed = once(socket, 'close');
      client.resetAndDestroy();
      await closed;
      const { text } = await read(`Bearer ${TOKEN}`, own);
      expect(readSeries(text, 'counterfoil_http_in_flight')).toBe(1);
    } finally {
      await own.close();
    }
  });

  it('O42 tells which limit a request met, and the log who met it', async () => {
    const lines: string[] = [];
    const log = createLog('info', { stream: { write: (line) => void lines.push(line) } });
    const own = await createTestApp({ METRICS_TOKEN: TOKEN, RATE_LIMIT_TEST: '2' }, log);
    try {
      const answers = await Promise.all(Array.from({ length: 8 }, () => own.test.get('/v0/orders/list')));
      const beyond = answers.filter(({ status }) => status === 429).length;
      expect(beyond).toBeGreaterThan(0);
      const { text } = await read(`Bearer ${TOKEN}`, own);
      expect(readSeries(text, 'counterfoil_rate_limited_total{kind="rate_limited"}')).toBe(beyond);
      expect((await own.live.get('/v0/orders/list?take=none')).status).toBe(400);
      const refused = lines.map((line) => JSON.parse(line)).find(({ code }) => code === 'invalid_input');
      expect(refused).toMatchObject({
        event: 'request_refused',
        route: '/v0/orders/list',
        status: 400,
        workspaceId: own.live.scope.workspaceId,
        mode: 'live',
        keyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    } finally {
      await own.close();
    }
  });

  it('O42 counts sales, payments, renewals and refunds, each once it holds', async () => {
    const own = await createTestApp({ METRICS_TOKEN: TOKEN });
    try {
      const offersIds = [await makeOffer(own.test)];
      const { body } = await buy(own.test, { offersIds });
      await buy(own.test, { offersIds, card: DECLINED });
      const { id } = body.data.order;
      for (const part of [{ amount: 500 }, {}]) {
        expect((await own.test.post(`/v0/orders/${id}/refunds`, part)).status).toBe(200);
      }
      // Several are renewed in one transaction.
      const plan = await makePlanOffer(own.test);
      for (const name of ['ada', 'bob', 'cleo'])
        await subscribe(own, plan, { userEmail: `${name}@example.com` });
      await advance(own, own.test.scope, 32 * DAY_MS);
      const { text } = await read(`Bearer ${TOKEN}`, own);
      const counts = (name: string) =>
        toSeries(text)
          .filter((line) => line.startsWith(`counterfoil_${name}{`) && !line.endsWith(' 0'))
          .sort();
      const of = (type: string, outcome: string) => `{mode="test",type="${type}",outcome="${outcome}"}`;
      expect(counts('sales_total')).toEqual([
        `counterfoil_sales_total${of('one_time', 'failed')} 1`,
        `counterfoil_sales_total${of('one_time', 'paid')} 1`,
        `counterfoil_sales_total${of('subscription_initial', 'paid')} 3`,
      ]);
      expect(counts('renewals_total')).toEqual([
        `counterfoil_renewals_total${of('subscription_interval', 'paid')} 3`,
      ]);
      expect(counts('refunds_total')).toEqual([
        `counterfoil_refunds_total${of('one_time', 'full')} 1`,
        `counterfoil_refunds_total${of('one_time', 'partial')} 1`,
      ]);
      expect(counts('payments_total')).toEqual([
        `counterfoil_payments_total${of('one_time', 'failed')} 1`,
        `counterfoil_payments_total${of('one_time', 'paid')} 1`,
        `counterfoil_payments_total${of('subscription_initial', 'paid')} 3`,
        `counterfoil_payments_total${of('subscription_interval', 'paid')} 3`,
      ]);
    } finally {
      await own.close();
    }
  });

  it('O42 tells what was lost, how late webhooks were, whose lease was lost, and what a disk has left', async () => {
    const own = await createTestApp({ METRICS_TOKEN: TOKEN, DATA_DIR: tmpdir() });
    try {
      own.service.notice({ what: 'document', outcome: 'lost' });
      own.service.notice({ what: 'webhook attempt', outcome: 'delivered', lagMs: 90_000 });
      own.service.notice({ what: 'webhook attempt', outcome: 'refused', lagMs: null });
      const gone = {
        ...own.test.scope,
        refId: own.test.scope.workspaceId,
        fence: 1,
        kind: 'send_mail' as const,
      };
      const { workspaceId, testMode, ...work } = gone;
      const claimed = {
        ...work,
        scope: { workspaceId, testMode },
        dueMs: 0,
        nowMs: 0,
        failures: 0,
        lane: null,
      };
      expect(await inTransaction(own.service.db, (tx) => finishDueWork(tx, claimed))).toBe(false);
      const { text } = await read(`Bearer ${TOKEN}`, own);
      expect(readSeries(text, 'counterfoil_documents_total{outcome="lost"}')).toBe(1);
      expect(readSeries(text, 'counterfoil_webhook_lag_seconds_bucket{le="60"}')).toBe(0);
      expect(readSeries(text, 'counterfoil_webhook_lag_seconds_bucket{le="120"}')).toBe(1);
      expect(readSeries(text, 'counterfoil_lease_lost_total{kind="send_mail"}')).toBe(1);
      expect(readSeries(text, 'counterfoil_disk_free_ratio')).toBeGreaterThan(0);
      expect(readSeries(text, 'counterfoil_disk_free_ratio')).toBeLessThan(1);
      // There is no standby, and over another's server no disk of ours.
      for (const [name, where] of [
        ['store_lag_seconds', text],
        ['disk_free_ratio', (await read()).text],
      ] as const) {
        expect(where).toContain(`# TYPE counterfoil_${name} gauge`);
        expect(toSeries(where).filter((line) => line.startsWith(`counterfoil_${name}`))).toEqual([]);
      }
    } finally {
      await own.close();
    }
  });

  it('O43 tells for how long a mail has waited that the mail server does not take', async () => {
    const lines: string[] = [];
    const log = createLog('warn', { stream: { write: (line) => void lines.push(line) } });
    const own = await createTestApp({ METRICS_TOKEN: TOKEN, SMTP_URL: 'smtp://127.0.0.1:9' }, log);
    try {
      const age = async () =>
        readSeries((await read(`Bearer ${TOKEN}`, own)).text, 'counterfoil_mail_oldest_seconds');
      expect(await age()).toBe(0);
      await buy(own.test, { offersIds: [await makeOffer(own.test)] });
      await own.wired.worker.runDue();
      // Its next try lies ahead.
      const { pool } = own.service;
      const { rows } = await pool.query(
        "select due_real_ms > real_now_ms() as later from due_work where kind = 'send_mail'",
      );
      expect(new Set(rows.map(({ later }) => later))).toEqual(new Set([true]));
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        {
          event: 'mail_failed',
          kind: 'send_mail',
          attempt: 1,
          err: { code: 'ESOCKET', message: expect.stringMatching(/ECONN/) },
        },
      ]);
      expect(lines.join()).not.toMatch(/@|stack/);
      await pool.query('update mails set written_real_ms = written_real_ms - 1200000');
      expect(await age()).toBeGreaterThan(1200);
      // Of a closed shop nobody sends it.
      await pool.query("update workspaces set state = 'archived'");
      expect(await age()).toBe(0);
    } finally {
      await own.close();
    }
  });

  it('O43 knows a transfer that is awaited from a charge that nobody knows of, and what is held from what is late', async () => {
    const own = await createTestApp({ METRICS_TOKEN: TOKEN });
    try {
      const account = { kind: 'manual', name: 'Bank', iban: 'DE89370400440532013000' };
      await own.test.post('/v0/processors/connect', {
        ...account,
        bic: 'COBADEFFXXX',
        holder: 'M',
        dueDays: 9,
      });
      const offerId = await makeOffer(own.test, { currency: 'EUR', taxBehavior: 'inclusive' });
      const page = await openPage(own, `/checkout/${offerId}`);
      const submitted = await page.submit({ card: undefined, payment: { option: 'transfer' } });
      expect(submitted.body.data.checkout.status).toBe('processing');
      const { pool } = own.service;
      await pool.query('update charges set created_at = created_at - 7200000');
      const unknown = async () =>
        toSeries((await read(`Bearer ${TOKEN}`, own)).text).filter((line) =>
          line.startsWith('counterfoil_charges_unknown'),
        );
      expect(await unknown()).toEqual([]);
      await pool.query('update charges set expected_by = null');
      expect(await unknown()).toEqual(['counterfoil_charges_unknown{processor="manual"} 1']);
      await pool.query("update charges set hold = 'discrepancy'");
      expect(await unknown()).toEqual([]);
      const { workspaceId, testMode } = own.live.scope;
      await pool.query(
        `insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms)
         values ($1, $2, 'watch_order', $1, 1, real_now_ms() - 900000)`,
        [workspaceId, testMode],
      );
      const late = async () =>
        readSeries(
          (await read(`Bearer ${TOKEN}`, own)).text,
          'counterfoil_due_oldest_seconds{kind="watch_order"}',
        );
      expect(await late()).toBeGreaterThanOrEqual(900);
      await pool.query("update installation_state set held_since = 1, held_reason = 'operator'");
      expect(await late()).toBe(0);
    } finally {
      await own.close();
    }
  });

  it('O42 tells which invariants held when they were last asked for, and nothing before', async () => {
    const own = await createTestApp({ METRICS_TOKEN: TOKEN });
    try {
      const look = async () => (await read(`Bearer ${TOKEN}`, own)).text;
      const before = await look();
      for (const name of ['invariants_broken', 'invariants_checked_at', 'ledger_differences']) {
        expect(before).toContain(`# TYPE counterfoil_${name} gauge`);
        expect(toSeries(before).filter((line) => line.startsWith(`counterfoil_${name}`))).toEqual([]);
      }
      await own.wired.metrics?.checkStore();
      const sound = await look();
      expect(readSeries(sound, 'counterfoil_invariants_broken{number="7"}')).toBe(0);
      expect(readSeries(sound, 'counterfoil_ledger_differences')).toBe(0);
      expect(readSeries(sound, 'counterfoil_invariants_checked_at')).toBeGreaterThan(1.7e9);
      // What is posted could be changed.
      await own.service.pool.query('alter table ledger_entries disable trigger ledger_entries_kept');
      await own.wired.metrics?.checkStore();
      const broken = await look();
      expect(readSeries(broken, 'counterfoil_invariants_broken{number="7"}')).toBe(1);
      expect(readSeries(broken, 'counterfoil_invariants_broken{number="8"}')).toBe(0);
      expect(readSeries(broken, 'counterfoil_ledger_differences')).toBe(1);
    } finally {
      await own.close();
    }
  });

  it('O42 asks at night of what was written in 25 h, and of all once something was broken', async () => {
    const own = await createTestApp({ METRICS_TOKEN: TOKEN });
    try {
      const isBroken = async () => {
        await own.wired.metrics?.checkStore();
        const { text } = await read(`Bearer ${TOKEN}`, own);
        return toSeries(text).some((line) => /^counterfoil_invariants_broken\{.*\} 1$/.test(line));
      };
      const offerId = await makeOffer(own.test, { price: 1000 });
      const sell = () => buy(own.test, { offersIds: [offerId] });
      /** Past the triggers, which let nothing of this through. */
      const change = (table: string, set: string) =>
        own.service.pool.query(`begin; alter table ${table} disable trigger user; update ${table} set ${set};
          alter table ${table} enable trigger user; commit`);
      const passDay = async () => {
        for (const table of ['events', 'audit_log', 'mails', 'webhook_deliveries'])
          await change(table, 'written_real_ms = written_real_ms - 26 * 3600000');
      };
      await sell();
      await change('payments', 'value = value + 1');
      await passDay();
      expect(await isBroken()).toBe(false);
      await sell();
      expect(await isBroken()).toBe(true);
      await passDay();
      expect(await isBroken()).toBe(true);
    } finally {
      await own.close();
    }
  });

  it('bears no more than 3,000 series with every operation called, and none that strangers name', async () => {
    const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'] as const;
    for (const path of Object.keys(app.app.swagger().paths ?? {})) {
      const url = path.replaceAll(/\{\w+\}/g, '01890000-0000-7000-8000-000000000000');
      for (const method of methods) await app.test.request(method, url);
    }
    for (let n = 0; n < 50; n += 1) {
      await app.app.inject({ method: 'GET', url: `/nobody/${n}` });
      await app.app.inject({ method: 'GET', url: '/v0/products/list', headers: { 'user-agent': `u${n}` } });
    }
    const { text } = await read();
    expect(toSeries(text).length).toBeLessThanOrEqual(SERIES_MAX);
    expect(text).not.toContain('nobody');
    expect(text).not.toContain('01890000-0000');
    expect(text).not.toContain(app.test.scope.workspaceId);
  });

  it('tells of the store as a whole by one process of several', async () => {
    await read();
    const other = app.service.db;
    const id = '01890000-0000-7000-8000-000000000000';
    await noteProcess(other, { id, role: 'all', version: '1', host: 'one', pool: 21, filesUrl: null });
    await other.updateTable('upkeep').set({ holder: id }).execute();
    expect((await read()).text).not.toMatch(/^counterfoil_webhooks_failing \d/m);
    await other.updateTable('upkeep').set({ leaseUntilMs: 0 }).execute();
    expect((await read()).text).toMatch(/^counterfoil_webhooks_failing \d/m);
  });
});
