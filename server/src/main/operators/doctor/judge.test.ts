import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/support/harness.ts';
import { TIMELINE } from '../../../resources/installation/timeline.sql.ts';
import { openBeatFile } from '../../beat-file.ts';
import { type Facts, readFacts, type ServerFacts } from './facts.ts';
import { greetMailServer } from './greet-mail-server.ts';
import { judge, judgeAway } from './judge.ts';
import { listReadableSecrets } from './readable-secrets.ts';

const HOUR_MS = 3_600_000;
const GREETED = { isGreeted: true, said: '' };

let t: TestApp;
/** What a healthy store and its machine say. */
let sound: Facts;
const SERVER: Partial<ServerFacts> = {
  // The tests' own store does without what a crash of the machine needs, and others use the server meanwhile.
  ...{ fsync: 'on', fullPageWrites: 'on', checksums: 'on', autovacuum: 'on' },
  ...{
    isArchiveFailing: false,
    replicaLagS: 0,
    unseenStandbys: 0,
    slotBytes: 0,
    transactionS: 0,
    connectionsMax: 100,
  },
};
beforeAll(async () => {
  t = await createTestApp({ DATA_DIR: mkdtempSync(path.join(tmpdir(), 'doctor-')) });
  await t.test.post('/v0/webhooks/create', { url: 'https://8.8.8.8/hook', events: ['payment_success'] });
  const facts = await readFacts(t.service.db, t.service.config);
  sound = { ...facts, server: { ...facts.server, ...SERVER }, freeBytes: 50 * 1024 ** 3, bloated: [] };
  // Another one's server has what it came with.
  sound.backups.segmentBytes = 1024 ** 2;
});
afterAll(() => t.close());

const faultsOf = (facts: Facts, publicUrl = 'https://pay.example.com') =>
  judge(facts, { publicUrl }).flatMap(({ check, status, remedy }) =>
    status === 'ok' ? [] : [{ check, remedy }],
  );
const checksOf = (facts: Facts, publicUrl?: string) => faultsOf(facts, publicUrl).map(({ check }) => check);

describe('doctor', () => {
  it('O46 finds nothing in a healthy store', () => {
    expect(faultsOf({ ...sound, skewMs: 0 })).toEqual([]);
  });

  const server = (change: Partial<ServerFacts>) => (facts: Facts) => ({
    ...facts,
    server: { ...facts.server, ...change },
  });
  const backups = (change: Partial<Facts['backups']>) => (facts: Facts) => ({
    ...facts,
    backups: { ...facts.backups, ...change },
  });
  const living = { host: 'a', version: '0.1.0', pool: 10, filesUrl: null };
  const FAULTS: Array<[string, string, (facts: Facts) => Facts]> = [
    ['postgres', 'PostgreSQL 14', server({ version: 140_012 })],
    ['writes', 'a standby', server({ isReadOnly: true, timeline: null })],
    ['writes', 'a server that takes no writes', server({ isReadOnly: true })],
    ['fsync', 'fsync off', server({ fsync: 'off' })],
    ['fsync', 'full_page_writes off', server({ fullPageWrites: 'off' })],
    ['checksums', 'pages without checksums', server({ checksums: 'off' })],
    ['autovacuum', 'autovacuum off', server({ autovacuum: 'off' })],
    ['indexes', 'an index that is not valid', (f) => ({ ...f, invalidIndexes: ['orders_number'] })],
    ['archive', 'a log that is not archived', server({ isArchiveFailing: true })],
    ['replica', 'a standby that is behind', server({ replicaLagS: 31 })],
    ['replica', 'a standby that the role may not look at', server({ unseenStandbys: 1 })],
    ['slots', 'a slot that holds 11 GB', server({ slotBytes: 11 * 1024 ** 3 })],
    ['transactions', 'a transaction of 11 minutes', server({ transactionS: 660 })],
    ['connections', 'pools beyond the server', server({ connectionsMax: 14 })],
    ['pooler', 'a pooler that keeps no names', (f) => ({ ...f, pooler: { keepsNames: false } })],
    [
      'migrations',
      'a migration that is missing',
      (f) => ({ ...f, migrations: { ...f.migrations, pending: ['9'] } }),
    ],
    [
      'migrations',
      'a store that takes newer versions alone',
      (f) => ({ ...f, migrations: { ...f.migrations, unknown: ['9'], neededVersion: '999.0.0' } }),
    ],
    ['imports', 'imported subscriptions that wait', (f) => ({ ...f, waitingSubscriptions: 2 })],
    ['bloat', 'dead rows', (f) => ({ ...f, bloated: ['orders'] })],
    ['clock', 'clocks 600 ms apart', (f) => ({ ...f, skewMs: 600 })],
    ['hosts', 'two machines', (f) => ({ ...f, processes: [living, { ...living, host: 'b' }] })],
    ['files-url', 'files that lie elsewhere', (f) => ({ ...f, files: { ...f.files, kept: 's3://there' } })],
    [
      'files-url',
      'a process that looks elsewhere',
      (f) => ({ ...f, processes: [living, { ...living, filesUrl: 's3://there' }] }),
    ],
    ['files', 'files that cannot be asked for', (f) => ({ ...f, files: { ...f.files, failure: 'no' } })],
    ['versions', 'two versions', (f) => ({ ...f, processes: [living, { ...living, version: '2' }] })],
    ['disk', 'a disk that is nearly full', (f) => ({ ...f, freeBytes: 1024 ** 3 })],
    ['disk-growth', 'a disk that is full in 6 days', (f) => ({ ...f, fullInDays: 6.9 })],
    ['secrets', 'a key that is gone', (f) => ({ ...f, unopened: 2 })],
    ['processors', 'a connection that lets nobody in', (f) => ({ ...f, brokenProcessors: 1 })],
    ['charges', 'charges without an outcome', (f) => ({ ...f, charges: { unknown: 1, held: 0 } })],
    ['retention', 'what is kept too long', (f) => ({ ...f, behindDays: [{ kept: 'mails', days: 3 }] })],
    ['timeline', 'a primary of before', server({ timeline: 3, knownTimeline: 4 })],
    ['backup', 'a base that is 27 hours old', backups({ ages: { baseMs: 27 * HOUR_MS, logMs: 0 } })],
    ['backup', 'no base at all', backups({ ages: { baseMs: null, logMs: 0 } })],
    ['backup', 'a log that waits', backups({ ages: { baseMs: 0, logMs: 400_000 } })],
    [
      'backup',
      'live sales without a backup',
      (f) => ({
        ...backups({ isEmbedded: true, fileMs: 49 * HOUR_MS })(f),
        hasPaidLive: true,
        smtp: GREETED,
      }),
    ],
    ['backup', 'a BACKUP_DIR that nobody writes to', backups({ isDirIdle: true })],
    ['segments', 'wide segments', backups({ ages: { baseMs: 0, logMs: 0 }, segmentBytes: 16 * 1024 ** 2 })],
    ['key', 'a key that is nowhere else', backups({ isKeyKept: false })],
    [
      'mail',
      'live sales without mail',
      (f) => ({ ...backups({ fileMs: 0 })(f), hasPaidLive: true, smtp: null }),
    ],
  ];
  it.each(FAULTS)('O46 finds %s: %s', (check, _name, plant) => {
    const faults = faultsOf(plant({ ...sound, skewMs: 0 }));
    expect(faults).toEqual([{ check, remedy: expect.stringMatching(/\w/) }]);
  });

  it('O46 finds secrets that others can read, where the folder lets them in', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'doctor-'));
    const file = path.join(dataDir, 'credentials.json');
    writeFileSync(file, '{}', { mode: 0o600 });
    const look = async () =>
      checksOf({ ...sound, skewMs: 0, readableSecrets: await listReadableSecrets(dataDir) });
    chmodSync(dataDir, 0o755);
    expect(await look()).toEqual([]);
    chmodSync(file, 0o644);
    expect(await look()).toEqual(['rights']);
    chmodSync(dataDir, 0o700);
    expect(await look()).toEqual([]);
  });

  it('O46 finds a primary of before by what this machine remembers, which that one cannot', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'doctor-'));
    const { db, config } = t.service;
    const { rows } = await sql<{ id: string; timeline: number }>`
      select system_identifier::text as id, ${TIMELINE} as timeline from pg_control_system()`.execute(db);
    const [server] = rows;
    if (!server) throw new Error('it says what it is');
    const remember = async (systemIdentifier: string) => {
      const file = await openBeatFile(dataDir, systemIdentifier);
      await file.write({
        processId: t.service.ids.next(0),
        count: 1,
        timeline: server.timeline + 1,
        atMs: 0,
      });
      await file.close();
      const facts = await readFacts(db, { ...config, dataDir });
      return facts.server.knownTimeline;
    };
    expect(await remember(server.id)).toBe(server.timeline + 1);
    expect(await remember('1')).toBe(sound.server.knownTimeline);
  });

  it('O46 finds no fault in the schema of a newer release after this one was rolled back', async () => {
    const { db } = t.service;
    await sql`insert into schema_migrations (name, sha256) values ('9999_later', 'x')`.execute(db);
    const { migrations } = await readFacts(db, t.service.config);
    expect(migrations).toEqual({ pending: [], unknown: ['9999_later'], neededVersion: null });
    const told = judge({ ...sound, migrations }, { publicUrl: 'https://pay.example.com' });
    expect(told.find(({ check }) => check === 'migrations')).toEqual({
      check: 'migrations',
      status: 'ok',
      message: 'sound: 1 is of a newer version, and serves this one',
      remedy: null,
    });
    await sql`update schema_compat set min_code_version = '999.0.0'`.execute(db);
    expect((await readFacts(db, t.service.config)).migrations.neededVersion).toBe('999.0.0');
    await sql`update schema_compat set min_code_version = '0.0.0'`.execute(db);
    await sql`delete from schema_migrations where name = '9999_later'`.execute(db);
  });

  it('O46 counts one in the singular', () => {
    const saidOf = (unopened: number) =>
      judge({ ...sound, unopened, failingWebhooks: unopened }, { publicUrl: 'https://pay.example.com' })
        .filter(({ status }) => status !== 'ok')
        .map(({ message }) => message);
    expect(saidOf(1)).toEqual(['no key opens 1 secret', '1 fails or is disabled']);
    expect(saidOf(2)).toEqual(['no key opens 2 secrets', '2 fail or are disabled']);
  });

  it('O46 finds no fault in pools beyond the server where a pooler lies between', () => {
    const pooled = server({ connectionsMax: 14 })({ ...sound, skewMs: 0, pooler: { keepsNames: true } });
    expect(faultsOf(pooled)).toEqual([]);
  });

  it('O46 finds what is seeded in a store: late work, leases, webhooks, a hold, files, an open address', async () => {
    const { db } = t.service;
    const { workspaceId } = t.test.scope;
    const work = { ...t.test.scope, kind: 'watch_order' as const, dueMs: 0, fence: 0, failures: 0 };
    const longAgo = Date.now() - 3_600_000;
    await db
      .insertInto('dueWork')
      .values([
        { ...work, refId: t.service.ids.next(0), dueRealMs: longAgo },
        { ...work, refId: t.service.ids.next(0), dueRealMs: longAgo, leaseUntilMs: longAgo },
      ])
      .execute();
    await db.updateTable('webhooks').set({ health: 'failing' }).execute();
    await db.updateTable('processors').set({ health: 'broken' }).execute();
    // Nobody is late with what waits for a receiver that fails.
    const [hook] = await db.selectFrom('webhooks').select('id').execute();
    await db
      .insertInto('dueWork')
      .values({
        ...work,
        ...{ kind: 'deliver_webhook', refId: t.service.ids.next(0), lane: hook?.id, dueRealMs: longAgo },
      })
      .execute();
    await db
      .insertInto('files')
      .values({
        ...t.test.scope,
        ...{ id: t.service.ids.next(0), fileName: 'gone.pdf', sizeBytes: 1, contentType: 'application/pdf' },
        ...{ purpose: 'download', createdAt: 0 },
      })
      .execute();
    await db
      .updateTable('stores')
      .set({ heldSince: 1, heldReason: 'restored' })
      .where('workspaceId', '=', workspaceId)
      .where('testMode', '=', false)
      .execute();
    const seeded = await readFacts(db, t.service.config);
    const facts = { ...seeded, server: sound.server, freeBytes: sound.freeBytes, bloated: [], skewMs: 0 };
    expect(checksOf(facts, 'http://pay.example.com')).toEqual(
      expect.arrayContaining(['held', 'due-work', 'leases', 'webhooks', 'processors', 'files', 'public-url']),
    );
    expect(checksOf(facts, 'http://pay.example.com')).toHaveLength(7);
    expect(seeded.late).toEqual([{ kind: 'watch_order', count: 1 }]);
  });

  it('knows a mail server that greets from one that does not', async () => {
    const says = async (line: string) => {
      const server = net.createServer((socket) => socket.on('error', () => {}).end(line));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const greeting = await greetMailServer(`smtp://127.0.0.1:${port}`);
      await new Promise((resolve) => server.close(resolve));
      return greeting;
    };
    expect((await says('220 mail.example ESMTP\r\n')).isGreeted).toBe(true);
    expect((await says('554 no\r\n')).isGreeted).toBe(false);
    // It hangs up on whoever is not on its list.
    expect(await says('')).toEqual({ isGreeted: false, said: 'it hangs up before it has greeted' });
    expect((await greetMailServer('smtp://127.0.0.1:9')).isGreeted).toBe(false);
    expect(checksOf({ ...sound, skewMs: 0, smtp: { isGreeted: false, said: 'no' } })).toEqual(['mail']);
  });

  it('O46 tells a role without rights from a store that is away', () => {
    const denied = Object.assign(new Error('permission denied for table stores'), { code: '42501' });
    const { message, remedy } = judgeAway(denied);
    expect(message).toBe('the store refuses the role of DATABASE_URL: permission denied for table stores');
    expect(remedy).toContain('make that role the owner of the database');
    expect(judgeAway(new Error('connect ECONNREFUSED')).message).toContain('cannot be reached');
  });
});
