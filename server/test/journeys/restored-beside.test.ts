/** A workspace of a file comes back beside others that sell on: it alone is held, until the operator says what it is. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { MIGRATIONS, migrate } from '../../src/db/migrate.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { type Resuming, resume } from '../../src/flows/quarantine/resume.ts';
import {
  type Restored,
  type RestoreOptions,
  restoreArchive,
} from '../../src/flows/restores/restore-archive.ts';
import { issueKeyPair } from '../../src/flows/workspaces/issue-key-pair.ts';
import { findBroken } from '../../src/main/operators/find-broken.ts';
import { rewriteArchive } from '../../src/main/operators/rewrite-archive.ts';
import { purgeWorkspace } from '../../src/resources/workspaces/empty-store.queries.ts';
import { makeAccount } from '../support/browser.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp, type TestStore } from '../support/harness.ts';
import { issue, openLive, sell } from '../support/live-sales.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';
import { changePart, linesOf, makeFolder, readParts, takeStoreFile } from '../support/restoring.ts';

const REMEMBERED_MS = 10_000;
const OWNER = 'owner@sold.example';
const TEAM = { admin: 'admin@sold.example', support: 'support@sold.example' };

let receiver: Receiver;
/** Where the file comes from, and where others sell. */
let there: TestApp;
let here: TestApp;
let hereUrl = '';
let grownOldMs = 0;
/** All of the live store there. */
let file: string;
let offers: { there: string; here: string };
let invoices: string[];

beforeAll(async () => {
  receiver = await createReceiver();
  const env = () => ({ EGRESS_ALLOW_CIDRS: '127.0.0.1/32', DATA_DIR: makeFolder() });
  there = await createTestApp(env());
  const through = async (url: string) => {
    hereUrl = url;
    return url;
  };
  here = await createTestApp(env(), undefined, {
    through,
    monotonicMs: () => performance.now() + grownOldMs,
  });
  offers = { there: await openLive(there), here: await openLive(here) };
  const { workspaceId } = there.live.scope;
  await there.service.db
    .updateTable('accounts')
    .set({ email: OWNER, emailNormal: OWNER })
    .where('email', '=', 'owner@first.example')
    .execute();
  for (const role of ['admin', 'support'] as const)
    await makeAccount(there, { email: TEAM[role], member: { workspaceId, role } });
  await there.service.db
    .updateTable('workspaces')
    .set({ portalSlug: 'sold' })
    .where('id', '=', workspaceId)
    .execute();
  await there.live.post('/v0/webhooks/create', { url: `${receiver.url}/there`, events: ['payment_success'] });
  invoices = [await sell(there, offers.there), await sell(there, offers.there)];
  // The deliveries of these wait, as the mails do, when the file is taken.
  file = await takeLiveFile();
});
afterAll(async () => {
  await here.wired.worker.runDue();
  await expectInvariants(here);
  await here.close();
  await there.close();
  await receiver.close();
});

async function takeLiveFile(): Promise<string> {
  const keys = await issue(there, ['exports:write', 'exports:read', 'store-export:write']);
  const by: TestStore = {
    ...there.live,
    get: (url) => there.live.get(url, { keys }),
    post: (url, body) => there.live.post(url, body, { keys }),
  };
  // Nothing else of what waits is done meanwhile.
  const { pool } = there.service;
  await pool.query(`update due_work set due_real_ms = due_real_ms + 1e12::bigint`);
  const taken = await takeStoreFile(there, by);
  await pool.query(`update due_work set due_real_ms = due_real_ms - 1e12::bigint`);
  return taken;
}

async function restore(from: string, options: Partial<RestoreOptions> = {}): Promise<Restored> {
  const { service } = here;
  const restored = await restoreArchive({ ...service, connection: { connectionString: hereUrl } }, from, {
    askKeys: () => Promise.reject(new Error('no key was to be asked for')),
    ...{ nowMs: Date.now(), ownerEmail: null, isThrownAway: false, tell: () => {} },
    findBroken: (db) => findBroken(db, service.config.egressAllowCidrs),
    ...options,
  });
  // That a pair is unknown is remembered for some seconds, too.
  grownOldMs += REMEMBERED_MS;
  return restored;
}

/** As if it had never come. */
async function takeAway(): Promise<void> {
  await inTransaction(here.service.db, (tx) => purgeWorkspace(tx, there.live.scope.workspaceId));
  await here.service.db
    .deleteFrom('accounts')
    .where('email', 'in', [OWNER, ...Object.values(TEAM)])
    .execute();
}

const say = async (as: Resuming['as'], more: Partial<Resuming> = {}) => {
  const { workspaceId } = there.live.scope;
  const asked = { workspaceId, skip: 1000, sendOld: false, nowMs: Date.now(), ids: here.service.ids };
  const present = { dataDirId: 'a.1', publicUrl: null };
  const done = await resume(here.service.db, { as, present, ...asked, ...more });
  grownOldMs += REMEMBERED_MS;
  return done;
};

/** The restored live store, as whoever has its new key asks it. */
function storeOf({ renewed }: Restored): TestStore {
  const { publicKey } = there.live.keys;
  const keys = { publicKey, secretKey: renewed.find(({ of }) => of === publicKey)?.secret ?? '' };
  const { live } = here;
  return {
    ...live,
    get: (url, options) => live.get(url, { keys, ...options }),
    post: (url, body, options) => live.post(url, body, { keys, ...options }),
  };
}

const numberOf = (invoice: string) => Number(invoice.split('-').at(-1));
const askedOf = (path: string) => receiver.requests.filter((request) => request.path === path).length;

describe('X50 a live store restored beside others', () => {
  it('O52 is held alone while they sell on, before, during and after', async () => {
    const sold: string[] = [];
    let isOver = false;
    const selling = (async () => {
      while (!isOver) sold.push(await sell(here, offers.here));
    })();
    const seen: number[] = [];
    const outside = AsyncLocalStorage.snapshot();
    const restoring = restore(file, {
      findBroken: async (db) => {
        // Its rows are in, and nobody sees them. What is asked here is of no transaction.
        await outside(async () => {
          seen.push((await here.live.get('/v0/orders/list', { keys: there.live.keys })).status);
          seen.push((await here.app.inject(`/checkout/${offers.there}`)).statusCode);
          await here.wired.worker.runDue();
        });
        const before = sold.length;
        await expect.poll(() => sold.length).toBeGreaterThan(before);
        return findBroken(db, here.service.config.egressAllowCidrs);
      },
    });
    const restored = await restoring.finally(() => {
      isOver = true;
      return selling;
    });
    expect(seen).toEqual([401, 404]);
    expect(restored.workspaces).toEqual([{ id: there.live.scope.workspaceId, name: 'First' }]);
    const store = storeOf(restored);
    const orders = (await store.get('/v0/orders/list')).body.data.orders;
    expect(orders).toEqual(linesOf((await readParts(file)).get('objects/orders.jsonl')));
    await expectRefusal(
      store.post('/v0/products/create', { type: 'SoftwareKey', name: 'N' }),
      503,
      'store_held',
    );
    expect((await here.app.inject(`/checkout/${offers.there}`)).statusCode).toBe(503);
    await here.wired.worker.runDue();
    expect(askedOf('/there')).toBe(0);
    expect(await mailsOf('queued')).toBeGreaterThan(0);
    expect(await mailsOf('sent')).toBe(0);
    expect((await here.app.inject('/readyz')).json()).toMatchObject({ status: 'ready', held: true });
    // Who sells here is not touched, numbers and all.
    const numbers = [...sold, await sell(here, offers.here)].map(numberOf);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    await expectInvariants(here);
  });

  it('O52 comes back once: a second time is refused, and changes nothing', async () => {
    const before = await countRows();
    await expect(restore(file)).rejects.toThrow(
      `The workspace ${there.live.scope.workspaceId} is here already: nothing was restored.`,
    );
    expect(await countRows()).toEqual(before);
  });

  it('O52 goes on alone by the operator’s word, which fits it or is refused', async () => {
    const workspaceId = here.live.scope.workspaceId;
    await expect(say('same', { workspaceId })).rejects.toThrow('Nothing of that is held.');
    await expect(say('restored', { workspaceId })).rejects.toThrow('Nothing of that is held.');
    await expect(say('same', { workspaceId: here.service.ids.next(0) })).rejects.toThrow(
      'There is no such workspace.',
    );
    await expect(say('copy')).rejects.toThrow('leave --workspace out');
    // Nor is the installation that sells beside it a copy for good.
    await expect(say('copy', { workspaceId: null })).rejects.toThrow('here others sell');
    const done = await say('restored');
    expect(done).toMatchObject({ stores: 1, deliveries: 2 });
    expect(done.mails).toBeGreaterThan(0);
    await here.wired.worker.runDue();
    expect(askedOf('/there')).toBe(0);
    await expect(say('restored')).rejects.toThrow('Nothing of that is held.');
    // What the lost one may have given out is left out here, and nowhere else.
    const next = await sell(here, offers.there, await ownStore());
    expect(numberOf(next)).toBe(numberOf(invoices.at(-1) ?? '') + 1001);
    const before = numberOf(await sell(here, offers.here));
    expect(numberOf(await sell(here, offers.here))).toBe(before + 1);
    await expectInvariants(here);
  });

  it('O52 said to be the same, it sends what waited and goes on with the next number', async () => {
    await takeAway();
    await restore(file);
    expect(await say('same')).toMatchObject({ stores: 1, mails: 0, deliveries: 0, skipped: [] });
    await here.wired.worker.runDue();
    expect(askedOf('/there')).toBe(2);
    const next = await sell(here, offers.there, await ownStore());
    expect(numberOf(next)).toBe(numberOf(invoices.at(-1) ?? '') + 1);
    await expectInvariants(here);
  });
});

const mailsOf = async (status: string) =>
  (
    await here.service.pool.query<{ count: number }>(
      `select count(*)::int as count from mails where workspace_id = $1 and status = $2`,
      [there.live.scope.workspaceId, status],
    )
  ).rows[0]?.count ?? 0;

/** A pair of today: those of the file are unknown without their secrets. */
async function ownStore(): Promise<TestStore> {
  const terms = {
    name: 'Now',
    nowMs: Date.now(),
    scopes: null,
    readRequiresSecret: false,
    amounts: 'minor' as const,
  };
  const keys = await inTransaction(here.service.db, (tx) =>
    issueKeyPair(tx, there.live.scope, { ids: here.service.ids, terms }),
  );
  return {
    ...here.live,
    get: (url) => here.live.get(url, { keys }),
    post: (url, body) => here.live.post(url, body, { keys }),
  };
}

/** What the file does not hold, nobody can write again. */
const withoutSecrets = (part: Buffer | undefined) =>
  linesOf(part).map((line) => ({ ...line, secret: null, secretLast4: null, accountId: null }));

/** Of every table. */
async function countRows(): Promise<Record<string, number>> {
  const { rows } = await here.service.pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const { rows: counted } = await here.service.pool.query<{ count: number }>(
      `select count(*)::int as count from ${name}`,
    );
    counts[name] = counted[0]?.count ?? 0;
  }
  return counts;
}

describe('X50 who belongs to what is restored beside others', () => {
  const proved = (email: string) =>
    here.service.db
      .updateTable('accounts')
      .set({ emailProvedAt: Date.now() })
      .where('email', '=', email)
      .execute();
  const members = async () =>
    (
      await here.service.pool.query<{ email: string; role: string }>(
        `select a.email, m.role from memberships m join accounts a on a.id = m.account_id
          where m.workspace_id = $1 order by 1`,
        [there.live.scope.workspaceId],
      )
    ).rows;
  const make = (email: string, emailProvedAt: number | null) =>
    makeAccount(here, { email, member: null }).then(async (id) => {
      await here.service.db.updateTable('accounts').set({ emailProvedAt }).where('id', '=', id).execute();
    });

  it('is whoever has proved the e-mail here; others are invited, and an Owner is made', async () => {
    await takeAway();
    await make(TEAM.admin, Date.now());
    await make(TEAM.support, null);
    const { bound, invited, made } = await restore(file);
    expect({ bound, made }).toEqual({ bound: [TEAM.admin], made: [OWNER] });
    expect(invited).toEqual([
      { email: TEAM.support, url: expect.stringContaining('/dashboard/invitation#') },
    ]);
    expect(await members()).toEqual([
      { email: TEAM.admin, role: 'admin' },
      { email: OWNER, role: 'owner' },
    ]);
  });

  it('is the Owner that an earlier restore made, and who has not got in yet', async () => {
    await takeAway();
    await restore(file);
    await inTransaction(here.service.db, (tx) => purgeWorkspace(tx, there.live.scope.workspaceId));
    const { made } = await restore(file);
    expect(made).toEqual([OWNER]);
  });

  it('refuses an Owner whose e-mail is proved by nobody here, and takes the one that is named', async () => {
    await takeAway();
    await make(OWNER, null);
    const before = await countRows();
    const told: string[] = [];
    await expect(restore(file, { tell: (line) => void told.push(line) })).rejects.toThrow(
      `${OWNER}, who is to own First, has not proved that e-mail here: name an account that has by --owner EMAIL.`,
    );
    await expect(restore(file, { ownerEmail: 'nobody@x.example' })).rejects.toThrow(
      'nobody@x.example, who is to own First, has no account here',
    );
    expect([told.length, await countRows()]).toEqual([1, before]);
    await proved('owner@first.example');
    const { bound } = await restore(file, { ownerEmail: 'owner@first.example' });
    expect(bound).toContain('owner@first.example');
    expect(await members()).toEqual([{ email: 'owner@first.example', role: 'owner' }]);
  });
});

describe('X50 a file that does not fit', () => {
  it('X47 names the part that is not what the manifest says, and nothing of it is here', async () => {
    await takeAway();
    const before = await countRows();
    for (const name of [
      'rows/orders.jsonl',
      'rows/ledger_entries.jsonl',
      'objects/users.jsonl',
      'header.json',
    ]) {
      const changed = await changePart(file, name, (text) =>
        text.replace(/(\d)(?=[^\d]*$)/, (digit) => String(9 - Number(digit))),
      );
      await expect(restore(changed)).rejects.toThrow(`The part ${name} is not what the manifest says.`);
    }
    expect(await countRows()).toEqual(before);
  });

  it('of another migration is refused by both names, and fits once it was brought there', async () => {
    await takeAway();
    const folder = makeFolder();
    for (const name of await readdir(MIGRATIONS))
      await copyFile(path.join(MIGRATIONS, name), path.join(folder, name));
    await writeFile(
      path.join(folder, '9990_more.sql'),
      "alter table products add column shelf text not null default 'old';\n",
    );
    await migrate({ connectionString: hereUrl }, { folder });
    const migration = JSON.parse(String((await readParts(file)).get('header.json'))).migration;
    await expect(restore(file, { folder })).rejects.toThrow(
      `The file is of migration ${migration} and the store of 9990_more: bring the file there first, by upgrade-file.`,
    );
    const target = path.join(makeFolder(), 'upgraded.tar.gz');
    const thrownAway = await createEmptyDatabase();
    const dataDir = makeFolder();
    await mkdir(dataDir, { recursive: true });
    try {
      await rewriteArchive(file, {
        ...{ target, seal: null, folder, tell: () => {}, connection: thrownAway.poolConfig },
        config: parseConfig({ DATA_DIR: dataDir }),
        askKeys: () => Promise.reject(new Error('no key was to be asked for')),
      });
    } finally {
      await thrownAway.drop();
    }
    const [before, after] = [await readParts(file), await readParts(target)];
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    for (const [name, part] of before)
      if (name.startsWith('objects/'))
        expect([name, withoutSecrets(after.get(name))]).toEqual([name, withoutSecrets(part)]);
    expect(linesOf(after.get('rows/products.jsonl'))[0]).toMatchObject({ shelf: 'old' });
    const restored = await restore(target, { folder });
    expect((await storeOf(restored).get('/v0/orders/list')).body.data.orders).toEqual(
      linesOf(before.get('objects/orders.jsonl')),
    );
  });
});
