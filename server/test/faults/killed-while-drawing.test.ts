import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPdf } from '../support/read-pdf.ts';
import { type KillableService, openKillableService } from './killable-service.ts';

const KILLS_AFTER_MS = [20, 150, 300, 500];

let service: KillableService;

beforeAll(async () => {
  service = await openKillableService();
}, 300_000);
afterAll(() => service?.close());

it('draws an invoice whole, in the built service, whenever it was killed at it before', async () => {
  const { product } = await service.post('/v0/products/create', { type: 'Game', name: '東京 شركة Łódź' });
  const { offer } = await service.post('/v0/offers/create', {
    productId: product.id,
    price: 1999,
    currency: 'EUR',
  });
  const { payment } = await service.post('/v0/test-purchases/create', {
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
    await service.kill();
    await opening.catch(() => null);
    await service.start();
  }
  const response = await fetch(url);
  expect(response.status).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect((await readPdf(bytes)).text).toContain('Łódź');
  const again = new Uint8Array(await (await fetch(url)).arrayBuffer());
  expect(Buffer.compare(again, bytes)).toBe(0);
  const kept = (await readdir(path.join(service.dataDir, 'invoices'), { recursive: true })).filter((name) =>
    name.endsWith('.pdf'),
  );
  expect(kept).toHaveLength(1);
}, 180_000);
