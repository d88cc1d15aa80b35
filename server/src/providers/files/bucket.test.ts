import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bucket, startBucket } from '../../../test/support/bucket.ts';
import { parseConfig } from '../../config.ts';
import { readFilesPlace, toPlaceUrl } from '../../domain/files-place.ts';
import { readListing } from './bucket-listing.ts';
import type { FileStore } from './file-store.ts';
import { hashOf } from './hash-of.ts';
import { openFileStore } from './open-file-store.ts';

let bucket: Bucket;
let folder: string;
let stores: Record<'bucket' | 'folder', FileStore>;
beforeAll(async () => {
  bucket = await startBucket();
  folder = await mkdtemp(path.join(os.tmpdir(), 'bucket-'));
  const { files } = parseConfig({ ...bucket.env, FILES_URL: bucket.url });
  if (!files) throw new Error('the address names a place');
  stores = {
    bucket: await openFileStore(files),
    folder: await openFileStore({ kind: 'folder', folder: path.join(folder, 'shared') }),
  };
});
afterAll(async () => {
  await bucket.close();
  await rm(folder, { recursive: true, force: true });
});

async function make(content: string) {
  const file = path.join(folder, 'made');
  await writeFile(file, content);
  return { path: file, sha256: await hashOf(file), sizeBytes: content.length };
}

async function read(store: FileStore, name: string, stretch?: { start: number; end: number }) {
  const stream = await store.open(name, stretch);
  return stream && text(stream);
}

async function listed(store: FileStore, beginning: string) {
  const names: string[] = [];
  for await (const name of store.list(beginning)) names.push(name);
  return names.sort();
}

describe.each(['bucket', 'folder'] as const)('a %s', (kind) => {
  it('O21 keeps, gives in part, lists page by page and takes away', async () => {
    const store = stores[kind];
    const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `files/w/test/${letter}`);
    for (const name of names) await store.put(name, await make(`content of ${name}`));
    expect(await read(store, 'files/w/test/a')).toBe('content of files/w/test/a');
    expect(await read(store, 'files/w/test/a', { start: 0, end: 6 })).toBe('content');
    expect(await listed(store, 'files/w/')).toEqual(names);
    expect(await listed(store, 'files/other/')).toEqual([]);
    await store.remove('files/w/test/a');
    await store.remove('files/w/test/a');
    expect([await store.has('files/w/test/a'), await store.has('files/w/test/b')]).toEqual([false, true]);
    expect(await read(store, 'files/w/test/a')).toBeNull();
    expect(await store.fetch('files/w/test/a', path.join(folder, 'copy'))).toBeNull();
    const fetched = await store.fetch('files/w/test/b', path.join(folder, 'copy'));
    expect(await hashOf(String(fetched))).toBe((await make('content of files/w/test/b')).sha256);
  });

  it('takes a name that holds the same bytes for its own', async () => {
    const store = stores[kind];
    await store.put('again', await make('the same'));
    await store.put('again', await make('the same'));
    expect(await read(store, 'again')).toBe('the same');
  });
});

describe('a bucket', () => {
  it('refuses a name that other bytes have taken', async () => {
    bucket.objects.set('shop/taken', Buffer.from('others'));
    const put = stores.bucket.put('taken', await make('ours'));
    await expect(put).rejects.toMatchObject({
      code: 'unavailable',
      internal: expect.stringContaining('other bytes'),
    });
    expect(String(bucket.objects.get('shop/taken'))).toBe('others');
  });

  it('is asked again where it is busy, and is unavailable where it stays so', async () => {
    bucket.fail('PUT', 503, 500);
    await stores.bucket.put('busy', await make('in the end'));
    expect(await read(stores.bucket, 'busy')).toBe('in the end');
    bucket.fail('GET', 503, 503, 503);
    const refused = { code: 'unavailable', internal: 'GET of busy was answered 503 SlowDown' };
    await expect(read(stores.bucket, 'busy')).rejects.toMatchObject(refused);
    bucket.fail('HEAD', 0);
    await expect(stores.bucket.has('busy')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('knows wrong credentials from a file that is not there', async () => {
    const env = { ...bucket.env, AWS_SECRET_ACCESS_KEY: 'wrong', FILES_URL: bucket.url };
    const { files } = parseConfig(env);
    const store = files && (await openFileStore(files));
    const refused = { code: 'unavailable', internal: expect.stringContaining('403') };
    await expect(store?.has('anything')).rejects.toMatchObject(refused);
  });

  it('reads a list by its keys, and takes no half of one for the whole', () => {
    const page = '<ListBucketResult><Contents><Key>a&amp;b&#x41;</Key></Contents></ListBucketResult>';
    expect(readListing(page)).toEqual({ keys: ['a&bA'], next: null });
    const cut = '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>';
    expect(() => readListing(cut)).toThrow();
    expect(() => readListing('<html>')).toThrow();
  });
});

describe('FILES_URL', () => {
  it.each([
    ['file:///mnt/shared/', 'file:///mnt/shared'],
    ['file:///mnt/with%20space', 'file:///mnt/with%20space'],
    ['s3://bucket', 's3://bucket'],
    ['s3://bucket/a/b/?endpoint=https://host:9000/', 's3://bucket/a/b?endpoint=https://host:9000'],
  ])('%s is a place', (url, canonical) => {
    const place = readFilesPlace(url, 'r', ['k', 's']);
    expect(typeof place === 'string' ? place : toPlaceUrl(place)).toBe(canonical);
  });

  it.each([
    '/mnt/shared',
    'file://host/x?y=1',
    'file:///',
    'https://bucket',
    's3://key:secret@bucket/x',
    's3://bucket/x#y',
    's3://bucket/a b',
    's3://bucket?endpoint=ftp://host',
    's3://bucket?endpoint=https://host/path',
    's3://bucket?region=x',
    's3://b',
  ])('%s is none', (url) => {
    expect(readFilesPlace(url, 'r', ['k', 's'])).toMatch(/^must be/);
    expect(() => parseConfig({ FILES_URL: url })).toThrow('FILES_URL must be');
  });

  it('needs credentials for a bucket, and says which', () => {
    expect(() => parseConfig({ FILES_URL: 's3://bucket' })).toThrow('AWS_ACCESS_KEY_ID');
    const env = { FILES_URL: 's3://bucket', AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's' };
    expect(parseConfig({ ...env, UPLOAD_MAX_MB: '9999' }).uploadMaxBytes).toBe(5 * 1024 ** 3);
    expect(parseConfig(env).files).toMatchObject({ bucket: 'bucket', endpoint: null, prefix: '' });
  });
});
