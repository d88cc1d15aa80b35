import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makeProduct } from '../../test/support/make-catalogue.ts';
import { sweepUploads } from '../worker/sweeps.ts';

let app: TestApp;
let dataDir: string;
let picture: Buffer;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-unused-'));
  app = await createTestApp({ DATA_DIR: dataDir });
  const red = { width: 8, height: 8, channels: 3 as const, background: '#c00' };
  picture = await sharp({ create: red }).png().toBuffer();
});
afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function upload(bytes: Buffer | string, type: string): Promise<{ id: string; url: string }> {
  const headers = { 'content-type': type, 'x-file-name': 'file' };
  return (await app.test.post('/v0/files/upload', bytes, { headers })).body.data.file;
}
const uploadPicture = () => upload(picture, 'image/png');

/** So many real days go by for what is uploaded by now. */
async function letPass(days: number): Promise<void> {
  await app.service.db
    .updateTable('files')
    .set((eb) => ({ writtenRealMs: eb('writtenRealMs', '-', days * 86_400_000) }))
    .execute();
}

async function listKept(): Promise<string[]> {
  const { files } = (await app.test.get('/v0/files/list?take=100')).body.data;
  return files.map(({ id }: { id: string }) => id).sort();
}

async function listBytes(): Promise<string[]> {
  const all = await readdir(path.join(dataDir, 'files'), { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map(({ name }) => name.slice(0, 36))
    .sort();
}

const sweep = () => sweepUploads(app.service.db, new AbortController().signal, app.service);

test('O32 O34 an upload that nothing pointed to goes after 30 days, one that was used once never', async () => {
  const [cover, shot, logo, once] = [
    await uploadPicture(),
    await uploadPicture(),
    await uploadPicture(),
    await uploadPicture(),
  ];
  const sold = await upload('PK bytes', 'application/zip');
  const unused = [await uploadPicture(), await upload('PK other', 'application/zip')];
  await makeProduct(app.test, { cover: cover.url, gallery: [{ value: shot.url }] });
  await makeOffer(app.test, { downloadFileId: sold.id });
  await app.test.patch('/v0/settings/update', { branding: { logo: logo.url } });
  const offerId = await makeOffer(app.test, { cover: once.url });
  await app.test.patch(`/v0/offers/${offerId}/update`, { cover: null });
  const used = [cover, shot, logo, once, sold].map(({ id }) => id).sort();
  const all = [...used, ...unused.map(({ id }) => id)].sort();

  await letPass(29);
  expect(await sweep()).toBe(0);
  expect([await listKept(), await listBytes()]).toEqual([all, all]);
  await letPass(2);
  expect(await sweep()).toBe(2);
  expect([await listKept(), await listBytes()]).toEqual([used, used]);
  for (const { id } of unused)
    expect((await app.app.inject({ method: 'GET', url: `/files/${id}` })).statusCode).toBe(404);
  await letPass(4000);
  expect(await sweep()).toBe(0);
});

test('O34 an upload is kept by what points to it at its last moment', async () => {
  const late = await uploadPicture();
  await letPass(31);
  await makeProduct(app.test, { cover: late.url });
  expect(await sweep()).toBe(0);
  expect(await listKept()).toContain(late.id);
});
