/** A service whose DATABASE_URL leads to a data node, and not to the coordinator. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXIT } from '../../src/main/exit-codes.ts';
import { buildService, findFreePort, spawnService } from '../faults/service-process.ts';
import { makeFolder } from '../support/restoring.ts';
import { runCommand } from '../support/run-command.ts';
import { listFixtures, readFixture, type Upgraded, upgrade } from '../support/upgrading.ts';
import { joinCluster, type TestCluster } from './cluster.ts';
import { runSpread, SERVICE_ENV } from './spread-command.ts';

const REFUSED = 'this is a data node: run them at the coordinator of the store';

let store: Upgraded;
let cluster: TestCluster;
beforeAll(async () => {
  const [fixture = ''] = (await listFixtures()).slice(-1);
  const read = await readFixture(fixture);
  store = await upgrade(read);
  await store.wired.close();
  cluster = await joinCluster(store.database);
  await buildService();
  expect(await runSpread(cluster.urls[0] ?? '', ['apply', '--yes'])).toMatchObject({ code: 0 });
});
afterAll(() => cluster?.drop());

const migrate = (node: number) =>
  runCommand('migrate-command', [], { DATABASE_URL: cluster.urls[node] ?? '' });

async function startOn(node: number) {
  const service = spawnService({
    ...{ port: await findFreePort(), dataDir: makeFolder(), databaseUrl: cluster.urls[node] ?? '' },
    env: { ...SERVICE_ENV, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64url') },
  });
  return service;
}

it('O19 a service on a data node does not migrate', async () => {
  expect(await migrate(1)).toMatchObject({ code: 0, out: 'The store has the schema of this version.\n' });
  const [last] = await cluster.query<{ name: string; sha256: string }>(
    'delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, sha256',
  );
  const refused = await migrate(1);
  expect([refused.code, refused.err]).toEqual([EXIT.refused, expect.stringContaining(REFUSED)]);
  const service = await startOn(1);
  expect(await service.exited).toMatchObject({ code: EXIT.refused });
  expect(service.output()).toContain(REFUSED);
  await cluster.query(
    `insert into schema_migrations (name, sha256) values ('${last?.name}', '${last?.sha256}')`,
  );
});

it('O19 a service on a data node runs', async () => {
  const service = await startOn(1);
  await service.ready();
  service.signal('SIGTERM');
  expect(await service.exited).toMatchObject({ code: 0 });
});
