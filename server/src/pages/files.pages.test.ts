import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';
import { createDownloadUrl } from '../flows/fulfilment/sign-download.ts';

let app: TestApp;
let dataDir: string;
let picture: Buffer;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-files-'));
  app = await createTestApp({ DATA_DIR: dataDir });
  const red = { width: 40, height: 20, channels: 3 as const, background: '#c00' };
  picture = await sharp({ create: red }).png().toBuffer();
});
afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

const unknownId = '0192f0c0-0000-7000-8000-000000000000';

async function upload(bytes: Buffer | string, headers: Record<string, string> = {}) {
  const { body } = await app.test.post('/v0/files/upload', bytes, {
    headers: { 'content-type': 'application/zip', 'x-file-name': 'game.zip', ...headers },
  });
  return body.data.file;
}
const asPicture = { 'content-type': 'image/png', 'x-file-name': 'cover.png' };

/** Sells a file; answers what its link names. */
async function sell(fileId: string, fields: Record<string, unknown> = {}) {
  const offerId = await makeOffer(app.test, { downloadFileId: fileId, ...fields });
  const { body } = await buy(app.test, { offersIds: [offerId] });
  const orderId = String(body.data.order.id);
  const [item] = (await app.test.get(`/v0/orders/${orderId}`)).body.data.items;
  return { orderId, itemId: String(item.id) };
}

describe('GET /files/:id', () => {
  it('shows a picture to anyone, and lets nothing in it run', async () => {
    const file = await upload(picture, asPicture);
    const got = await app.app.inject({ url: `/files/${file.id}` });
    expect(got.statusCode).toBe(200);
    expect(got.rawPayload.equals(picture)).toBe(true);
    expect(got.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(got.headers['content-security-policy']).toContain('sandbox');
    const etag = String(got.headers.etag);
    const again = await app.app.inject({ url: `/files/${file.id}`, headers: { 'if-none-match': etag } });
    expect(again.statusCode).toBe(304);
    const head = await app.app.inject({ method: 'HEAD', url: `/files/${file.id}` });
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(picture.length)]);
  });

  it('shows nothing else', async () => {
    const file = await upload('PK bytes');
    const svg = await upload('<svg/>', { 'content-type': 'image/svg+xml', 'x-file-name': 'a.svg' });
    for (const id of [file.id, svg.id, unknownId, 'x']) {
      expect((await app.app.inject({ url: `/files/${id}` })).statusCode).toBe(404);
    }
  });
});

describe('GET /downloads/:token', () => {
  async function linkTo(bytes: string, name = 'game.zip') {
    const file = await upload(bytes, { 'x-file-name': encodeURIComponent(name) });
    const url = await createDownloadUrl(app.service, app.test.scope, await sell(file.id));
    return new URL(url).pathname;
  }

  it('gives the file out under its name', async () => {
    const url = await linkTo('0123456789', 'Größe "1".zip');
    const got = await app.app.inject({ url });
    expect(got.payload).toBe('0123456789');
    expect(got.headers['content-disposition']).toBe(
      `attachment; filename="Gr__e _1_.zip"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.zip`,
    );
    expect(got.headers['cache-control']).toBe('no-store');
  });

  it('goes on where a download broke off', async () => {
    const url = await linkTo('0123456789');
    const part = await app.app.inject({ url, headers: { range: 'bytes=4-' } });
    expect([part.statusCode, part.payload, part.headers['content-range']]).toEqual([
      206,
      '456789',
      'bytes 4-9/10',
    ]);
    const etag = String(part.headers.etag);
    const same = await app.app.inject({ url, headers: { range: 'bytes=4-', 'if-range': etag } });
    expect(same.statusCode).toBe(206);
    const other = await app.app.inject({ url, headers: { range: 'bytes=4-', 'if-range': '"x"' } });
    expect([other.statusCode, other.payload]).toEqual([200, '0123456789']);
    const beyond = await app.app.inject({ url, headers: { range: 'bytes=10-' } });
    expect(beyond.statusCode).toBe(416);
  });

  it('opens nothing for an altered or expired link', async () => {
    const url = await linkTo('0123456789');
    expect((await app.app.inject({ url: `${url}x` })).statusCode).toBe(404);
    expect((await app.app.inject({ url: '/downloads/x' })).statusCode).toBe(404);
    const bought = await sell((await upload('late')).id);
    const earlier = { ...app.service, realNowMs: () => Date.now() - 15 * 60_000 };
    const late = await createDownloadUrl(earlier, app.test.scope, bought);
    const got = await app.app.inject({ url: new URL(late).pathname });
    expect([got.statusCode, got.json().error.message]).toEqual([404, 'This link has expired.']);
  });

  it('Y20 gives out no sold picture but to its buyer', async () => {
    const file = await upload(picture, { ...asPicture, 'x-file-purpose': 'download' });
    const url = await createDownloadUrl(app.service, app.test.scope, await sell(file.id));
    expect((await app.app.inject({ url: `/files/${file.id}` })).statusCode).toBe(404);
    const got = await app.app.inject({ url: new URL(url).pathname });
    expect(got.rawPayload.equals(picture)).toBe(true);
    expect(got.headers['content-disposition']).toContain('attachment');
  });

  it('Y20 asks again at the door whether what a link names is still its buyer’s', async () => {
    const bought = await sell((await upload('bytes')).id);
    const url = new URL(await createDownloadUrl(app.service, app.test.scope, bought)).pathname;
    expect((await app.app.inject({ url })).statusCode).toBe(200);
    await app.test.post(`/v0/orders/${bought.orderId}/refunds`);
    expect((await app.app.inject({ url })).statusCode).toBe(404);
  });

  it('Y20 opens nothing of another order or another store', async () => {
    const [one, two] = [await sell((await upload('one')).id), await sell((await upload('two')).id)];
    const mixed = { orderId: one.orderId, itemId: two.itemId };
    const open = async (scope: TestApp['test']['scope'], bought: typeof one) => {
      const url = await createDownloadUrl(app.service, scope, bought);
      return (await app.app.inject({ url: new URL(url).pathname })).statusCode;
    };
    expect(await open(app.test.scope, mixed)).toBe(404);
    expect(await open(app.other.scope, one)).toBe(404);
    expect(await open(app.live.scope, one)).toBe(404);
  });
});

it('Y20 lets no offer sell what anybody is shown', async () => {
  const file = await upload(picture, asPicture);
  const product = { type: 'DigitalDownload', name: 'Wallpaper' };
  const offers = [{ price: 100, currency: 'EUR', downloadFileId: file.id }];
  const made = await app.test.post('/v0/products/create', { ...product, offers });
  expect([made.status, made.body.error.code]).toEqual([400, 'file_purpose']);
  const offerId = await makeOffer(app.test);
  const changed = await app.test.patch(`/v0/offers/${offerId}/update`, { downloadFileId: file.id });
  expect([changed.status, changed.body.error.code]).toEqual([400, 'file_purpose']);
  const shown = await app.app.inject({ url: `/files/${file.id}` });
  expect(shown.statusCode).toBe(200);
});

describe('a download with limits', () => {
  const linkTo = async (bought: { orderId: string; itemId: string }) => {
    // Each link ends at a moment of its own.
    links += 1;
    const nowMs = Date.now() + links * 1000;
    const service = { ...app.service, realNowMs: () => nowMs };
    return new URL(await createDownloadUrl(service, app.test.scope, bought)).pathname;
  };
  let links = 0;
  const open = async (url: string, method: 'GET' | 'HEAD' = 'GET') =>
    (await app.app.inject({ method, url })).statusCode;

  it('opens by as many links as the offer said at purchase, each as often as its holder needs', async () => {
    const file = await upload('PK-limited');
    const bought = await sell(file.id, { downloadLimit: 2, downloadDays: 30 });
    const [first, second, third] = [await linkTo(bought), await linkTo(bought), await linkTo(bought)];
    expect(await open(third, 'HEAD')).toBe(200);
    expect([await open(first), await open(first), await open(second), await open(second)]).toEqual([
      200, 200, 200, 200,
    ]);
    const refused = await app.app.inject({ url: third });
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'download_over']);
    expect(await open(second)).toBe(200);
  });

  it('opens no further however many links come at once', async () => {
    const bought = await sell((await upload('PK-crowd')).id, { downloadLimit: 3 });
    const urls = await Promise.all(Array.from({ length: 12 }, () => linkTo(bought)));
    const answers = await Promise.all(urls.map((url) => open(url)));
    expect(answers.filter((status) => status === 200)).toHaveLength(3);
  });

  it('ends after its days, whatever becomes of the offer', async () => {
    const bought = await sell((await upload('PK-days')).id, { downloadDays: 2 });
    expect(await open(await linkTo(bought))).toBe(200);
    await app.test.post('/v0/test-clock/advance', { by: { days: 2 } });
    expect(await open(await linkTo(bought))).toBe(409);
  });

  it('is answered by the offer, and null takes it off', async () => {
    const offerId = await makeOffer(app.test, { downloadLimit: 5, downloadDays: 7 });
    const read = async () => (await app.test.get(`/v0/offers/${offerId}`)).body.data.offer;
    expect(await read()).toMatchObject({ downloadLimit: 5, downloadDays: 7 });
    await app.test.patch(`/v0/offers/${offerId}/update`, { downloadLimit: null });
    expect(await read()).toMatchObject({ downloadLimit: null, downloadDays: 7 });
    const { status } = await app.test.patch(`/v0/offers/${offerId}/update`, { downloadLimit: 0 });
    expect(status).toBe(400);
  });
});
