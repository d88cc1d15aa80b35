/** Two machines, each with a folder of its own, over one store and one bucket: what one keeps the other has. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { findMisplaced } from '../../src/main/open-files.ts';
import { warnOfFiles } from '../../src/main/watch-files.ts';
import { type Wired, wire } from '../../src/main/wire.ts';
import { placeFiles } from '../../src/resources/installation/files-place.queries.ts';
import { noteProcess } from '../../src/resources/installation/processes.queries.ts';
import { type Bucket, startBucket } from '../support/bucket.ts';
import { buy } from '../support/buying.ts';
import { STORE_FORM } from '../support/database.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';

let bucket: Bucket;
let here: TestApp;
let there: Wired;
let folders: string[];
/** What either of them has logged. */
let logged: Array<Record<string, unknown>>;
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) });

beforeAll(async () => {
  logged = [];
  bucket = await startBucket();
  folders = ['here', 'there'].map((name) => mkdtempSync(path.join(os.tmpdir(), `files-${name}-`)));
  const toEnv = (folder: number) => ({
    ...{ ...bucket.env, FILES_URL: bucket.url, DATA_DIR: String(folders[folder]) },
    ...{ RATE_LIMIT_TEST: '0', PROCESSOR_RATE: '0' },
  });
  let url = '';
  const through = async (own: string) => {
    url = own;
    return own;
  };
  here = await createTestApp(toEnv(0), log, { through });
  expect(await findMisplaced(here.service.db, here.service.config)).toBeNull();
  there = await wire({
    config: parseConfig({ STORE_FORM, ...toEnv(1) }),
    store: { connectionString: url },
    log,
  });
  there.readiness.isReady = true;
  await there.app.ready();
});
afterAll(async () => {
  await there.close();
  await here.close();
  await bucket.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  logged = [];
});

async function get(app: Wired['app'], url: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ method: 'GET', url: new URL(url).pathname, headers });
  return { status: answer.statusCode, bytes: answer.rawPayload, sha256: hashOf(answer.rawPayload) };
}
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const keyOf = (part: string) => [...bucket.objects.keys()].find((key) => key.includes(part)) ?? '';

async function sell(): Promise<string> {
  const { status, body } = await buy(here.test, { offersIds: [await makeOffer(here.test)] });
  expect(status).toBe(200);
  return body.data.payment.invoiceUrl;
}

async function uploadPicture(red: number): Promise<{ id: string; url: string }> {
  const create = { width: 9, height: 9, channels: 3 as const, background: { r: red, g: 0, b: 0 } };
  const { status, body } = await here.test.post(
    '/v0/files/upload',
    await sharp({ create }).png().toBuffer(),
    {
      headers: { 'content-type': 'image/png', 'x-file-name': 'logo.png' },
    },
  );
  expect(status).toBe(200);
  return body.data.file;
}

it('O21 a PDF of one is served by the other, with an equal hash', async () => {
  const url = await sell();
  const drawn = await get(here.app, url);
  expect([drawn.status, drawn.bytes.subarray(0, 4).toString()]).toEqual([200, '%PDF']);
  expect((await get(there.app, url)).sha256).toBe(drawn.sha256);
  const key = keyOf(drawn.sha256);
  expect(key).toMatch(/^shop\/invoices\/.+\.pdf$/);
  expect(hashOf(bucket.objects.get(key) ?? Buffer.alloc(0))).toBe(drawn.sha256);
  const part = await get(there.app, url, { range: 'bytes=1-3' });
  expect([part.status, String(part.bytes)]).toEqual([206, 'PDF']);
});

it('O21 one that both open first at once is one document', async () => {
  const url = await sell();
  const opened = await Promise.all([get(here.app, url), get(there.app, url), get(there.app, url)]);
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(opened.map(({ sha256 }) => sha256)).size).toBe(1);
});

it('O21 an upload of one is served by the other, and lies on the disk of neither', async () => {
  const { id, url } = await uploadPicture(200);
  const [one, other] = [await get(here.app, url), await get(there.app, url)];
  expect([one.status, other.sha256]).toEqual([200, one.sha256]);
  expect(keyOf(id)).toMatch(new RegExp(`-${one.sha256}$`));
  for (const folder of folders) {
    const left = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(left.map(({ name }) => name)).toEqual([]);
  }
});

it('O21 a request that is repeated keeps the first bytes alone', async () => {
  const options = {
    headers: { 'content-type': 'application/zip', 'x-file-name': 'a.zip', 'idempotency-key': 'twice' },
  };
  const before = bucket.objects.size;
  const first = await here.test.post('/v0/files/upload', 'PK bytes', options);
  const again = await here.test.post('/v0/files/upload', 'PK bytes', options);
  expect([first.status, again.status, again.body.data]).toEqual([200, 200, first.body.data]);
  expect(bucket.objects.size).toBe(before + 1);
});

it('O21 a PDF that is gone is drawn anew where it comes out the same, else it is 503 and told', async () => {
  const { id, url: logo } = await uploadPicture(100);
  expect((await here.test.patch('/v0/settings/update', { invoiceLogo: logo })).status).toBe(200);
  const url = await sell();
  const { sha256 } = await get(here.app, url);
  bucket.objects.delete(keyOf(sha256));
  expect(await get(there.app, url)).toMatchObject({ status: 200, sha256 });
  expect(logged).toMatchObject([{ event: 'document_drawn_anew' }]);
  // Without its picture this build draws another one, as another build would.
  for (const key of [keyOf(sha256), keyOf(id)]) bucket.objects.delete(key);
  expect((await get(there.app, url)).status).toBe(503);
  expect(logged.map(({ event }) => event)).toContain('document_lost');
  expect((await get(there.app, logo)).status).toBe(503);
  expect(logged.map(({ event }) => event)).toContain('file_lost');
  await here.test.patch('/v0/settings/update', { invoiceLogo: null });
});

it('O21 while the bucket does not answer shops sell, and PDFs are 503', async () => {
  bucket.fail('GET', 0, 0);
  bucket.fail('PUT', 0, 0);
  const url = await sell();
  expect((await get(here.app, url)).status).toBe(503);
  bucket.fail('PUT');
  bucket.fail('GET');
  expect((await get(here.app, url)).status).toBe(200);
});

it('a process that looks elsewhere may not start, and one that runs notes nothing more', async () => {
  const { db, config } = here.service;
  const elsewhere = { ...config, files: { kind: 'folder' as const, folder: '/mnt/other' } };
  expect(await findMisplaced(db, elsewhere)).toContain(
    `lie in ${bucket.url}, and FILES_URL says file:///mnt/other`,
  );
  expect(await findMisplaced(db, { ...config, files: null })).toContain('FILES_URL says DATA_DIR');
  await placeFiles(db, elsewhere.files);
  const before = bucket.objects.size;
  const options = { headers: { 'content-type': 'application/zip', 'x-file-name': 'a.zip' } };
  await expectRefusal(here.test.post('/v0/files/upload', 'PK bytes', options), 503, 'unavailable');
  expect(bucket.objects.size).toBe(before);
  await warnOfFiles(here.service);
  expect(logged).toContainEqual(
    expect.objectContaining({ event: 'files_moved', filesUrl: 'file:///mnt/other' }),
  );
  await placeFiles(db, config.files);
});

it('two machines that keep files apart are told so', async () => {
  const { db, config, ids } = here.service;
  const apart = { db, log, config: { ...config, files: null } };
  await placeFiles(db, null);
  const own = { role: 'api', version: '0.1.0', pool: 1, filesUrl: null };
  await noteProcess(db, { ...own, id: ids.next(1), host: 'one' });
  await warnOfFiles(apart);
  expect(logged).toEqual([]);
  await noteProcess(db, { ...own, id: ids.next(2), host: 'two' });
  await warnOfFiles(apart);
  expect(logged).toMatchObject([{ event: 'files_apart', hosts: ['one', 'two'] }]);
  await placeFiles(db, config.files);
});

it('what a copy for tries deletes stays where it lies; what the store itself deletes goes', async () => {
  const { pool } = here.service;
  const kept = () =>
    [...bucket.objects.keys()].filter((key) => key.includes(`${here.test.scope.workspaceId}/test/`));
  const reset = () => here.test.post('/v0/test-clock/reset', { confirm: true });
  const before = kept();
  expect(before.length).toBeGreaterThan(0);
  await pool.query('update installation_state set is_copy = true');
  expect((await reset()).status).toBe(200);
  expect(kept()).toEqual(before);
  await pool.query('update installation_state set is_copy = false');
  const { id } = await uploadPicture(50);
  expect((await reset()).status).toBe(200);
  expect(keyOf(id)).toBe('');
});
