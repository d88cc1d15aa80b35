/** A service beside a store that is being spread. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXIT } from '../../src/main/exit-codes.ts';
import { buildService, findFreePort, type ServiceProcess, spawnService } from '../faults/service-process.ts';
import { makeFolder } from '../support/restoring.ts';
import { type Fixture, listFixtures, readFixture, upgrade } from '../support/upgrading.ts';
import { joinCluster, type TestCluster } from './cluster.ts';
import { runSpread, SERVICE_ENV } from './spread-command.ts';

let about: Fixture['about'];
let cluster: TestCluster;
let service: ServiceProcess;
beforeAll(async () => {
  const [name = ''] = (await listFixtures()).slice(-1);
  const fixture = await readFixture(name);
  about = fixture.about;
  const store = await upgrade(fixture);
  await store.wired.close();
  cluster = await joinCluster(store.database);
  await buildService();
  service = await start();
  await service.ready();
});
afterAll(async () => {
  service?.signal('SIGKILL');
  await service?.exited;
  await cluster?.drop();
});

async function start(): Promise<ServiceProcess> {
  return spawnService({
    ...{ port: await findFreePort(), dataDir: makeFolder(), databaseUrl: cluster.urls[0] ?? '' },
    env: { ...SERVICE_ENV, SECRETS_KEY: about.secretsKey },
  });
}

async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<number> {
  const { publicKey, secretKey } = about.keys.test;
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: {
      'x-svc-public-key': publicKey,
      'x-svc-secret-key': secretKey,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return response.status;
}

const write = () => ask('POST', '/v0/products/create', { type: 'SoftwareKey', name: 'New' });

it('is read and not written to, and nobody starts on it', async () => {
  const [url = ''] = cluster.urls;
  expect([await ask('GET', '/v0/orders/list'), await write()]).toEqual([200, 200]);
  const { signal } = await runSpread(url, ['apply', '--yes'], { killAt: 1 });
  expect(signal).toBe('SIGKILL');
  expect([await ask('GET', '/v0/orders/list'), await write()]).toEqual([200, 503]);
  const other = await start();
  expect(await other.exited).toMatchObject({ code: EXIT.refused });
  expect(other.output()).toContain('this store is being spread');
});
