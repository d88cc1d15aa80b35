import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage } from '../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { inTransaction } from '../db/transaction.ts';
import { createFolderStore } from '../providers/files/folder.ts';
import { seedDemo } from './seed-demo.ts';

let app: TestApp;
let offers: Array<{ id: string; name: string }>;
beforeAll(async () => {
  app = await createTestApp();
  const { service, test } = app;
  const nowMs = service.realNowMs();
  await inTransaction(service.db, (tx) => seedDemo({ ...service, nowMs }, test.scope, tx));
  offers = (await test.get('/v0/offers/list')).body.data.offers;
});
afterAll(() => app.close());

/** What a buyer gets who opens the download on the receipt of an offer of the demo. */
async function download(name: string, form: Record<string, unknown>) {
  const offer = offers.find((one) => one.name === name);
  const page = await openPage(app, `/checkout/${offer?.id}`);
  const { body, text } = await page.submit(form);
  expect(body.data?.checkout.status, text).toBe('paid');
  const { download } = body.data.checkout.receipt.items[0];
  const { headers } = await app.app.inject({ method: 'GET', url: download.url });
  const { pathname } = new URL(String(headers.location), 'http://localhost');
  const { rawPayload } = await app.app.inject({ method: 'GET', url: pathname });
  expect(rawPayload.length).toBe(download.size);
  return { fileName: download.fileName, start: rawPayload.subarray(0, 4).toString('latin1') };
}

it('sells a soundtrack that can be downloaded and played', async () => {
  expect(await download('Original soundtrack', {})).toEqual({
    fileName: 'Nebula Drift - Opening theme.wav',
    start: 'RIFF',
  });
});

it('gives a wallpaper away', async () => {
  expect(await download('Nebula wallpaper', { countryCode: undefined, card: undefined })).toEqual({
    fileName: 'Nebula wallpaper.svg',
    start: '<svg',
  });
});

it('says in one line which setting names the place that cannot be written to', async () => {
  const { service, test } = app;
  const folder = path.join(tmpdir(), `counterfoil-demo-${service.processId}`);
  await writeFile(folder, 'No folder.');
  const url = pathToFileURL(folder).href;
  const config = { ...service.config, files: { kind: 'folder' as const, folder } };
  const ctx = { ...service, config, files: createFolderStore(folder), nowMs: service.realNowMs() };
  const seeding = inTransaction(service.db, (tx) => seedDemo(ctx, test.scope, tx));
  await expect(seeding).rejects.toThrow(`FILES_URL (${url}) cannot be written to: ENOTDIR`);
  await rm(folder);
});
