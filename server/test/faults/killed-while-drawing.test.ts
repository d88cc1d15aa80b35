import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { readPdf } from '../support/read-pdf.ts';
import {
  buildService,
  type Credentials,
  findFreePort,
  readCredentials,
  type ServiceProcess,
  spawnService,
} from './service-process.ts';

const KILLS_AFTER_MS = [20, 150, 300, 500];

let database: TestDatabase;
let dataDir: string;
let port: number;
let service: ServiceProcess;
let credentials: Credentials;

beforeAll(async () => {
  await buildService();
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-drawing-'));
  port = await findFreePort();
  service = await start();
  credentials = await readCredentials(dataDir);
}, 300_000);

afterAll(async () => {
  service?.signal('SIGKILL');
  await service?.exited;
  await database?.drop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ServiceProcess> {
  const started = spawnService({ port, dataDir, databaseUrl: database.url });
  await started.ready();
  return started;
}

// Answers of every shape, read for one field each.
// biome-ignore lint/suspicious/noExplicitAny: see above
async function post(route: string, body: unknown): Promise<any> {
  const response = await fetch(`${service.baseUrl}${route}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-public-key': credentials.test.publicKey,
      'x-svc-secret-key': credentials.test.secretKey,
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { data: unknown };
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer.data;
}

it('draws an invoice whole, in the built service, whenever it was killed at it before', async () => {
  const { product } = await post('/v0/products/create', { type: 'Game', name: '東京 شركة Łódź' });
  const { offer } = await post('/v0/offers/create', { productId: product.id, price: 1999, currency: 'EUR' });
  const { payment } = await post('/v0/test-purchases/create', {
    offersIds: [offer.id],
    userEmail: 'ada@example.com',
    billingDetails: { countryCode: 'DE' },
  });
  const url = `${service.baseUrl}${new URL(payment.invoiceUrl).pathname}`;
  for (const afterMs of KILLS_AFTER_MS) {
    const opening = fetch(url).then(
      (response) => response.arrayBuffer(),
      () => null,
    );
    await wait(afterMs);
    service.signal('SIGKILL');
    await opening.catch(() => null);
    await service.exited;
    service = await start();
  }
  const response = await fetch(url);
  expect(response.status).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect((await readPdf(bytes)).text).toContain('Łódź');
  const again = new Uint8Array(await (await fetch(url)).arrayBuffer());
  expect(Buffer.compare(again, bytes)).toBe(0);
  const kept = (await readdir(path.join(dataDir, 'invoices'), { recursive: true })).filter((name) =>
    name.endsWith('.pdf'),
  );
  expect(kept).toHaveLength(1);
}, 180_000);
