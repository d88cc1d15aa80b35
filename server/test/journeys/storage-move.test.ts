/** Files move out of DATA_DIR beside a service that goes on, by a command that is killed on the way. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { findMisplaced } from '../../src/main/open-files.ts';
import { wire } from '../../src/main/wire.ts';
import { beginFilesMove } from '../../src/resources/installation/files-place.queries.ts';
import { type Bucket, startBucket } from '../support/bucket.ts';
import { buy } from '../support/buying.ts';
import { STORE_FORM } from '../support/database.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import type { Ran } from '../support/run-command.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const UPLOADS = 4;
const SALES = 3;

let bucket: Bucket;
let app: TestApp;
let dataDir: string;
let url: string;
let offersIds: string[];

beforeAll(async () => {
  bucket = await startBucket();
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'storage-move-'));
  const through = async (own: string) => {
    url = own;
    return own;
  };
  app = await createTestApp({ DATA_DIR: dataDir }, undefined, { through });
  offersIds = [await makeOffer(app.test)];
  for (let n = 0; n < UPLOADS; n += 1) await upload(`PK ${n}`);
  for (let n = 0; n < SALES; n += 1) await sellAndOpen();
  await forgetHash();
});
afterAll(async () => {
  await app.close();
  await bucket.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function upload(content: string) {
  const headers = { 'content-type': 'application/zip', 'x-file-name': 'game.zip' };
  return app.test.post('/v0/files/upload', content, { headers });
}

async function sellAndOpen(): Promise<string> {
  const { body } = await buy(app.test, { offersIds });
  const address = new URL(body.data.payment.invoiceUrl).pathname;
  expect((await app.app.inject({ url: address })).statusCode).toBe(200);
  return address;
}

/** One of before hashes were noted. */
async function forgetHash(): Promise<void> {
  const { rows } = await app.service.pool.query('select id, sha256 from files order by id limit 1');
  const folder = path.join(dataDir, 'files', app.test.scope.workspaceId, 'test');
  renameSync(path.join(folder, `${rows[0].id}-${rows[0].sha256}`), path.join(folder, rows[0].id));
  await app.service.pool.query('update files set sha256 = null where id = $1', [rows[0].id]);
}

/** The command as a process; `isMoment` is asked at each call of the bucket whether it is killed over it. */
function move(
  isMoment: (method: string, isList: boolean) => boolean = () => false,
  { to = bucket.url } = {},
): Promise<Ran & { isKilled: boolean }> {
  const { VITEST: _vitest, NODE_ENV: _test, ...inherited } = process.env;
  const program = path.join(ROOT, 'server/src/main/operators/storage.ts');
  const words = ['--import', path.join(ROOT, 'scripts/typescript.mjs'), program, 'move', '--to', to];
  return new Promise((resolve) => {
    const own = { ENV_FILE: '', DATABASE_URL: url, DATA_DIR: dataDir, ...bucket.env };
    const child = execFile(process.execPath, words, { env: { ...inherited, ...own } }, (error, out, err) => {
      bucket.onCall = null;
      resolve({
        code: error ? Number(error.code ?? -1) : 0,
        out,
        err,
        isKilled: child.signalCode === 'SIGKILL',
      });
    });
    bucket.onCall = (method, isList) => {
      if (isMoment(method, isList)) child.kill('SIGKILL');
    };
  });
}

/** The n-th call of the kind. */
function nth(n: number, isOne: (method: string, isList: boolean) => boolean) {
  let count = 0;
  return (method: string, isList: boolean) => isOne(method, isList) && ++count === n;
}
const isPut = (method: string) => method === 'PUT';
const isRead = (method: string, isList: boolean) => method === 'GET' && !isList;
const isListed = (_method: string, isList: boolean) => isList;

it('O22 says what is missing, and switches nothing', async () => {
  const folder = path.join(dataDir, 'invoices', app.test.scope.workspaceId, 'test');
  const [lost = ''] = readdirSync(folder);
  renameSync(path.join(folder, lost), path.join(dataDir, 'lost'));
  const to = `file://${path.join(dataDir, 'shared')}`;
  const { code, out, err } = await move(undefined, { to });
  expect([code, err]).toEqual([6, expect.stringContaining(`missing: invoices/`)]);
  expect(err).toContain('1 files are neither here nor there');
  expect(out).toContain(`${UPLOADS + SALES - 1} files were copied`);
  expect(await findMisplaced(app.service.db, app.service.config)).toBeNull();
  renameSync(path.join(dataDir, 'lost'), path.join(folder, lost));
});

it('O22 killed at several moments and resumed, all hashes are equal', async () => {
  const moments = [nth(3, isPut), nth(9, isRead), nth(2, isListed)];
  for (const isMoment of moments) {
    const { isKilled, err } = await move(isMoment);
    expect(isKilled, err).toBe(true);
    // The service goes on where it may: until the switch, uploads are taken and PDFs drawn.
    if ((await findMisplaced(app.service.db, app.service.config)) === null) {
      expect((await upload(`PK meanwhile ${bucket.objects.size}`)).status).toBe(200);
      await sellAndOpen();
    }
  }
  await expect(beginFilesMove(app.service.db, 'file:///mnt/other')).rejects.toThrow('is not done with');
  const { code, out, err } = await move();
  expect([code, err]).toEqual([0, expect.not.stringContaining('missing')]);
  expect(out).toContain(`Start each process with FILES_URL=${bucket.url}`);
  await expect(beginFilesMove(app.service.db, bucket.url)).rejects.toThrow('already');

  const { rows } = await app.service.pool.query<{ name: string; sha256: string }>(`
    select 'shop/files/' || workspace_id || '/test/' || id || '-' || sha256 as name, sha256 from files union all
    select 'shop/invoices/' || workspace_id || '/test/' || id || '-' || pdf_sha256 || '.pdf', pdf_sha256
    from invoices where pdf_sha256 is not null`);
  expect(rows.length).toBeGreaterThanOrEqual(UPLOADS + SALES);
  for (const { name, sha256 } of rows)
    expect([name, hashOf(bucket.objects.get(name) ?? Buffer.alloc(0))]).toEqual([name, sha256]);
  expect(bucket.objects.size).toBe(rows.length);
  await expectRefusal(upload('PK too late'), 503, 'unavailable');
});

it('O22 a process of the new place serves what lay at the old one', async () => {
  const config = parseConfig({
    STORE_FORM,
    ...bucket.env,
    FILES_URL: bucket.url,
    DATA_DIR: path.join(dataDir, 'other'),
  });
  const moved = await wire({ config, store: { connectionString: url }, log: app.service.log });
  try {
    expect(await findMisplaced(moved.service.db, config)).toBeNull();
    moved.readiness.isReady = true;
    await moved.app.ready();
    const { rows } = await app.service.pool.query('select token, pdf_sha256 from invoices');
    for (const { token, pdf_sha256: sha256 } of rows) {
      const answer = await moved.app.inject({ url: `/invoices/${token}.pdf` });
      expect([answer.statusCode, hashOf(answer.rawPayload)]).toEqual([200, sha256]);
    }
  } finally {
    await moved.close();
  }
});
