/** A store in every state that is spread by a command which is killed on the way, again and again. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildService } from '../faults/service-process.ts';
import { runCommand } from '../support/run-command.ts';
import { listFixtures, readFixture, type Upgraded, upgrade } from '../support/upgrading.ts';
import { joinCluster, sumStore, type TestCluster } from './cluster.ts';
import { runSpread, SERVICE_ENV } from './spread-command.ts';

const KILLS = 20;
/** What it tells until it is killed: each time it comes so much further. */
const LINES = 11;

/** The catalogue shows nobody the tables that make up a reference table: without a look at it there are more keys. */
const KEYS = `select c.relname || ' ' || n.conname as name from pg_constraint n join pg_class c on c.oid = n.conrelid
  where n.contype = 'f' and c.relnamespace = 'public'::regnamespace order by 1`;
/** But the one whose work the service does itself. */
const TRIGGERS = `select c.relname || ' ' || t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and t.tgname <> 'stores_note_files' order by 1`;

let store: Upgraded;
let cluster: TestCluster;
beforeAll(async () => {
  const [fixture = ''] = (await listFixtures()).slice(-1);
  store = await upgrade(await readFixture(fixture));
  await store.wired.close();
  cluster = await joinCluster(store.database);
  await buildService();
});
afterAll(() => cluster?.drop());

it('O16 killed at twenty moments it goes on: counts, sums, keys and triggers are what they were, and all holds', async () => {
  const [url = ''] = cluster.urls;
  expect(await runSpread(url, ['plan'])).toMatchObject({ code: 0 });
  const [sums, keys, triggers] = [
    await sumStore(url),
    await cluster.query(KEYS),
    await cluster.query(TRIGGERS),
  ];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { signal, output } = await runSpread(url, ['apply', '--yes'], { killAt: LINES });
    expect([kill, signal, output]).toEqual([kill, 'SIGKILL', output]);
  }
  const { code, output } = await runSpread(url, ['apply', '--yes']);
  expect([code, output]).toEqual([0, expect.stringContaining('The store is spread.')]);
  expect(await sumStore(url)).toEqual(sums);
  expect(await cluster.query(KEYS)).toEqual(keys);
  expect(await cluster.query(TRIGGERS)).toEqual(triggers);
  const asked = await runCommand('invariants', [], { ...SERVICE_ENV, DATABASE_URL: url });
  expect([asked.code, asked.out]).toEqual([0, expect.not.stringContaining('BROKEN')]);
  expect(await runSpread(url, ['check'])).toMatchObject({ code: 0 });
});

it('shows the store from each node alike', async () => {
  const [url = '', ...others] = cluster.urls;
  const sums = await sumStore(url);
  for (const other of others) expect(await sumStore(other)).toEqual(sums);
});

it('lies so as it is meant to', async () => {
  const [url = ''] = cluster.urls;
  const { code, output } = await runSpread(url, ['status']);
  expect([code, output]).toEqual([0, expect.stringContaining('data node: ')]);
  const again = await runSpread(url, ['plan']);
  expect(again.output.match(/ rows, .*(?<!done)$/gm)).toBeNull();
});
