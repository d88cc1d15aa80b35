import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';

const MIB = 1024 * 1024;
let app: TestApp;
let dataDir: string;
let picture: Buffer;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-files-'));
  app = await createTestApp({ DATA_DIR: dataDir, UPLOAD_MAX_MB: '3' });
  const red = { width: 40, height: 20, channels: 3 as const, background: '#c00' };
  picture = await sharp({ create: red }).png().toBuffer();
});
afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

type Headers = Record<string, string>;

function upload(bytes: Buffer | string, headers: Headers = {}) {
  return app.test.post('/v0/files/upload', bytes, {
    headers: { 'content-type': 'application/zip', 'x-file-name': 'game.zip', ...headers },
  });
}
function uploadPicture() {
  return upload(picture, { 'content-type': 'image/png', 'x-file-name': 'cover.png' });
}
async function listStored(): Promise<string[]> {
  const entries = await readdir(path.join(dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe('POST /v0/files/upload', () => {
  describe('200', () => {
    it('keeps the bytes and answers every field', async () => {
      const { status, body } = await upload('PK bytes', { 'x-file-name': 'Gr%C3%B6%C3%9Fe.zip' });
      expect(status).toBe(200);
      expect(body.data.file).toEqual({
        object: 'file',
        id: expect.any(String),
        fileName: 'Größe.zip',
        size: 8,
        type: 'application/zip',
        purpose: 'download',
        url: null,
        blurHash: null,
      });
      const stored = expect.stringMatching(new RegExp(`^${body.data.file.id}-[0-9a-f]{64}$`));
      expect(await listStored()).toContainEqual(stored);
    });

    it('gives a picture its address and placeholder', async () => {
      const { file } = (await uploadPicture()).body.data;
      expect(file.url).toBe(`http://localhost:3000/files/${file.id}`);
      expect(file.blurHash).toMatch(/^.{28}$/);
    });

    it('Y20 answers what a file is for: by its header, else by its type', async () => {
      const svg = { 'content-type': 'image/svg+xml', 'x-file-name': 'a.svg' };
      const png = { 'content-type': 'image/png', 'x-file-name': 'a.png' };
      const avif = await sharp(picture).avif().toBuffer();
      const answers = [
        await upload(picture, png),
        await upload(picture, { ...png, 'x-file-purpose': 'download' }),
        await upload(avif, { 'content-type': 'image/avif', 'x-file-purpose': 'picture' }),
        await upload('<svg/>', svg),
        await upload('PK'),
      ];
      expect(answers.map(({ body }) => body.data.file.purpose)).toEqual([
        'picture',
        'download',
        'picture',
        'download',
        'download',
      ]);
      expect(answers.map(({ body }) => body.data.file.url !== null)).toEqual([
        true,
        false,
        true,
        false,
        false,
      ]);
    });

    it('takes JSON and HTML as they are', async () => {
      for (const type of ['application/json', 'text/html']) {
        const { status, body } = await upload('{not json', { 'content-type': type });
        expect([status, body.data.file.type, body.data.file.size]).toEqual([200, type, 9]);
      }
    });

    it('answers a repeated Idempotency-Key with the first file and keeps no second one', async () => {
      const headers = { 'idempotency-key': 'one file' };
      const first = await upload('same', headers);
      const stored = await listStored();
      const second = await upload('same', headers);
      expect(second.body).toEqual(first.body);
      expect(await listStored()).toEqual(stored);
    });

    it('lets an offer give it out', async () => {
      const { file } = (await upload('PK bytes')).body.data;
      const { body } = await app.test.post('/v0/products/create', {
        type: 'DigitalDownload',
        name: 'Game',
        offers: [{ price: 100, currency: 'EUR', downloadFileId: file.id }],
      });
      expect(body.data.offers[0].download).toMatchObject({ fileName: 'game.zip', size: 8 });
    });

    it('lends its placeholder to a product’s cover unless one is given', async () => {
      const { file } = (await uploadPicture()).body.data;
      const create = async (changes: object) => {
        const input = { type: 'Game', name: 'Chess', cover: file.url, ...changes };
        return (await app.test.post('/v0/products/create', input)).body.data.product;
      };
      const product = await create({});
      expect(product.coverBlurHash).toBe(file.blurHash);
      expect((await create({ coverBlurHash: 'mine' })).coverBlurHash).toBe('mine');
      const elsewhere = { cover: 'https://img.example/a.png' };
      const { body } = await app.test.patch(`/v0/products/${product.id}/update`, elsewhere);
      expect(body.data.product.coverBlurHash).toBeNull();
    });
  });

  describe('400', () => {
    it.each([
      ['no name', '', 'x-file-name'],
      ['a name that is not percent-encoded UTF-8', '%ff', 'x-file-name'],
    ])('refuses %s', async (_case, name, field) => {
      const { status, body } = await upload('bytes', { 'x-file-name': name });
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe(field);
    });

    it('Y20 refuses as a picture what is none of its type, and keeps nothing of it', async () => {
      const stored = await listStored();
      const cut = picture.subarray(0, picture.length - 40);
      const sent: Array<[string, Buffer | string]> = [
        ['image/png', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
        ['image/png', '<html>'],
        ['image/jpeg', picture],
        ['image/gif', 'GIF89a<script>'],
        ['image/png', cut],
      ];
      for (const [type, bytes] of sent) {
        const { status, body } = await upload(bytes, { 'content-type': type });
        expect([status, body.error.details[0].path]).toEqual([400, 'body']);
      }
      const { status, body } = await upload('PK', { 'x-file-purpose': 'picture' });
      expect([status, body.error.details[0].path]).toEqual([400, 'x-file-purpose']);
      expect(await listStored()).toEqual(stored);
    });

    it('Y17 refuses a picture of more than 16 megapixels, and takes others one after the other', async () => {
      const blank = (width: number, height: number) =>
        sharp({ create: { width, height, channels: 3, background: '#fff' } })
          .png()
          .toBuffer();
      const headers = { 'content-type': 'image/png', 'x-file-name': 'large.png' };
      const { status, body } = await upload(await blank(4001, 4000), headers);
      expect([status, body.error.message]).toEqual([400, 'body must be a picture of at most 16 megapixels']);
      const large = await blank(4000, 4000);
      const answers = await Promise.all([1, 2, 3].map(() => upload(large, headers)));
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    });

    it('refuses an empty body and keeps nothing', async () => {
      const stored = await listStored();
      expect((await upload('')).status).toBe(400);
      expect(await listStored()).toEqual(stored);
    });
  });

  describe('415', () => {
    it('takes no form for a file', async () => {
      const before = await listStored();
      const type = 'multipart/form-data; boundary=x';
      const form =
        '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK\r\n--x--\r\n';
      const { status, body } = await upload(form, { 'content-type': type });
      expect([status, body.error.code]).toEqual([415, 'unsupported_media_type']);
      expect(body.error.message).toContain('raw bytes');
      expect(await listStored()).toEqual(before);
    });
  });

  describe('401', () => {
    it('stores nothing for a caller without the secret key', async () => {
      const stored = await listStored();
      const { status } = await app.test.post('/v0/files/upload', 'bytes', {
        keys: 'public',
        headers: { 'content-type': 'application/zip', 'x-file-name': 'a.zip' },
      });
      expect(status).toBe(401);
      expect(await listStored()).toEqual(stored);
    });
  });

  describe('405', () => {
    it('names the method it takes', async () => {
      const { status, headers } = await app.test.get('/v0/files/upload');
      expect([status, headers.allow]).toEqual([405, 'POST']);
    });
  });

  describe('422', () => {
    it('refuses an Idempotency-Key with other bytes and keeps none of them', async () => {
      const headers = { 'idempotency-key': 'other bytes' };
      await upload('one', headers);
      const stored = await listStored();
      expect((await upload('two', headers)).status).toBe(422);
      expect(await listStored()).toEqual(stored);
    });
  });
});

describe('over a real connection', () => {
  function open(headers: Headers): ClientRequest {
    const { port } = app.app.server.address() as AddressInfo;
    return httpRequest({
      port,
      method: 'POST',
      path: '/v0/files/upload',
      headers: {
        'x-svc-public-key': app.test.keys.publicKey,
        'x-svc-secret-key': app.test.keys.secretKey,
        'x-file-name': 'big.bin',
        ...headers,
      },
    });
  }
  function answerOf(sent: ClientRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => sent.once('response', resolve).once('error', reject));
  }
  beforeAll(async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' });
  });

  it('takes a body of several chunks whole', async () => {
    const bytes = Buffer.alloc(2 * MIB, 'abcdefg');
    const sent = open({ 'transfer-encoding': 'chunked' });
    for (let at = 0; at < bytes.length; at += 100_000) sent.write(bytes.subarray(at, at + 100_000));
    sent.end();
    const answer = await answerOf(sent);
    expect(answer.statusCode).toBe(200);
    const text = Buffer.concat(await answer.toArray()).toString();
    const { file } = JSON.parse(text).data as { file: { id: string; size: number } };
    expect(file.size).toBe(bytes.length);
    const { workspaceId } = app.test.scope;
    const name = `${file.id}-${createHash('sha256').update(bytes).digest('hex')}`;
    const kept = await readFile(path.join(dataDir, 'files', workspaceId, 'test', name));
    expect(kept.equals(bytes)).toBe(true);
  });

  it('refuses a body that says it is too large before reading it', async () => {
    const sent = open({ 'content-length': String(4 * MIB) });
    sent.flushHeaders();
    const answer = await answerOf(sent);
    expect(answer.statusCode).toBe(413);
    sent.destroy();
  });

  it('refuses a body that grows too large, and keeps nothing of it', async () => {
    const stored = await listStored();
    const sent = open({ 'transfer-encoding': 'chunked' });
    const answered = answerOf(sent);
    for (let i = 0; i < 35; i += 1) sent.write(Buffer.alloc(100_000));
    const answer = await answered;
    expect(answer.statusCode).toBe(413);
    sent.destroy();
    expect(await listStored()).toEqual(stored);
  });

  it('keeps nothing of a body that breaks off', async () => {
    const stored = await listStored();
    const logged = new Promise((resolve) =>
      app.app.server.once('connection', (socket) => socket.once('close', resolve)),
    );
    const sent = open({ 'content-length': '1000' });
    sent.on('error', () => {});
    sent.write('half');
    // Only once bytes have reached the disk does their removal show anything.
    await expect.poll(async () => (await listStored()).length).toBe(stored.length + 1);
    sent.destroy();
    await logged;
    await expect.poll(() => listStored()).toEqual(stored);
  });
});
