/** What a stop does with a request that was running when it was asked for. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net, { type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  buildService,
  findFreePort,
  readCredentials,
  type ServiceProcess,
  spawnService,
} from './service-process.ts';

/** Longer than Fastify lets a close take by itself. */
const DRAIN_TIMEOUT_MS = '11000';
const BODY = '{}';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  await buildService();
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-stopped-'));
}, 300_000);
afterAll(async () => {
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A request whose body has not come yet, of which the service has read the head. */
async function startRequest(port: number): Promise<Socket> {
  const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
  socket.on('error', () => {});
  const { publicKey, secretKey } = (await readCredentials(dataDir)).test;
  socket.write('POST /v0/products/create HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n');
  socket.write(`x-svc-public-key: ${publicKey}\r\nx-svc-secret-key: ${secretKey}\r\n`);
  socket.write(`content-length: ${BODY.length}\r\nexpect: 100-continue\r\n\r\n`);
  expect((await once(socket, 'data'))[0]).toContain('100 Continue');
  return socket;
}

async function startService(): Promise<{ service: ServiceProcess; port: number }> {
  const port = await findFreePort();
  const service = spawnService({ port, dataDir, databaseUrl: database.url, env: { DRAIN_TIMEOUT_MS } });
  await service.ready();
  return { service, port };
}

const isRefused = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    () => false,
    () => true,
  );

describe('a request that runs when the stop is asked for', { timeout: 60_000 }, () => {
  it('O03 is answered, and told that its connection ends', async () => {
    const { service, port } = await startService();
    const running = await startRequest(port);
    service.signal('SIGTERM');
    await expect.poll(() => isRefused(port)).toBe(true);
    running.write(BODY);
    const [answer] = await once(running, 'data');
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(await service.exited).toMatchObject({ code: 0, signal: null });
  });

  it('O03 is cut off by DRAIN_TIMEOUT_MS also where that is long, and the stop is one in good order', async () => {
    const { service, port } = await startService();
    const running = await startRequest(port);
    service.signal('SIGTERM');
    expect(await service.exited).toMatchObject({ code: 0, signal: null });
    expect(service.output()).toContain('"event":"stop_cut_short"');
    expect(service.output()).not.toContain('did not stop in good order');
    running.destroy();
  });
});
