/** The folder of an embedded store that was copied and started: held, until the operator says what it is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  buildService,
  type Credentials,
  findFreePort,
  readCredentials,
  type ServiceProcess,
  spawnService,
} from './service-process.ts';

const RESUME = fileURLToPath(new URL('../../dist/run/resume.js', import.meta.url));
const running: ServiceProcess[] = [];
let folder: string;

beforeAll(async () => {
  await buildService();
  folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-copied-'));
}, 300_000);
afterEach(async () => {
  for (const service of running.splice(0)) await stop(service);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(dataDir: string): Promise<ServiceProcess> {
  const service = spawnService({ port: await findFreePort(), dataDir, databaseUrl: null });
  running.push(service);
  await service.ready();
  return service;
}

async function stop(service: ServiceProcess): Promise<void> {
  service.signal('SIGTERM');
  await service.exited;
}

const isHeld = async ({ baseUrl }: ServiceProcess): Promise<boolean> =>
  ((await (await fetch(`${baseUrl}/readyz`)).json()) as { held: boolean }).held;

/** With its owners, as a backup keeps them. */
async function copy(from: string, to: string): Promise<void> {
  const child = spawn('cp', ['-a', from, to], { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
}

async function createProduct({ baseUrl }: ServiceProcess, { live }: Credentials): Promise<number> {
  const answer = await fetch(`${baseUrl}/v0/products/create`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-public-key': live.publicKey,
      'x-svc-secret-key': live.secretKey,
    },
    body: JSON.stringify({ type: 'SoftwareKey', name: 'Rocket' }),
  });
  return answer.status;
}

async function resume(dataDir: string, ...flags: string[]): Promise<number | null> {
  const { DATABASE_URL: _shared, NODE_ENV: _test, VITEST: _vitest, ...env } = process.env;
  const child = spawn(process.execPath, [RESUME, ...flags], {
    env: { ...env, DATA_DIR: dataDir, ENV_FILE: '' },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

it('O29 O51 a copied folder is held through restarts until it is said what it is; its original sells on', async () => {
  const original = path.join(folder, 'original');
  const copied = path.join(folder, 'copied');
  await stop(await start(original));
  await copy(original, copied);
  const first = await start(original);
  const keys = await readCredentials(original);
  expect([await isHeld(first), await createProduct(first, keys)]).toEqual([false, 200]);
  await stop(first);
  const other = await start(copied);
  expect([await isHeld(other), await createProduct(other, keys)]).toEqual([true, 503]);
  expect(other.output()).toContain('npm run resume');
  await stop(other);
  const again = await start(copied);
  expect(await isHeld(again)).toBe(true);
  // Beside the running service.
  expect(await resume(copied, '--restored')).toBe(0);
  await expect.poll(() => createProduct(again, keys)).toBe(200);
  // Whoever probes is told what was so a second ago.
  await expect.poll(() => isHeld(again)).toBe(false);
  await stop(again);
  expect(await isHeld(await start(copied))).toBe(false);
});

it('O51 a folder whose contents were put back from a copy is held', async () => {
  const dataDir = path.join(folder, 'put-back');
  const kept = path.join(folder, 'kept');
  await stop(await start(dataDir));
  await copy(dataDir, kept);
  await stop(await start(dataDir));
  await rm(dataDir, { recursive: true });
  await copy(kept, dataDir);
  expect(await isHeld(await start(dataDir))).toBe(true);
  expect(await resume(dataDir)).not.toBe(0);
  expect(await resume(dataDir, '--same')).toBe(0);
});
