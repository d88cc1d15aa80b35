import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chooseEncoding, compressPage } from './compress-page.ts';

describe('chooseEncoding', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['gzip;q=0, br;q=0.0', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['BR', 'br'],
  ])('takes %j as %s', (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding);
  });
});

describe('S50 pages on the wire', () => {
  const html = `<!doctype html>${'<p>Nebula</p>'.repeat(50)}`;

  it('leave compressed where they hold no secret', () => {
    const br = compressPage({ entry: 'portal', html }, { 'accept-encoding': 'gzip, br' });
    expect(br?.encoding).toBe('br');
    expect(String(brotliDecompressSync(br?.bytes ?? ''))).toBe(html);
    const gzip = compressPage({ entry: 'message', html }, { 'accept-encoding': 'gzip' });
    expect(String(gunzipSync(gzip?.bytes ?? ''))).toBe(html);
  });

  it('of a checkout leave as they are to who is signed in', () => {
    const headers = { 'accept-encoding': 'br' };
    expect(compressPage({ entry: 'checkout', html }, headers)).not.toBeNull();
    const cookie = 'a=b; __Host-cf_0123abcd=x';
    expect(compressPage({ entry: 'checkout', html }, { ...headers, cookie })).toBeNull();
  });

  it.each(['pay', 'authenticate', 'preview'] as const)('of %s leave as they are', (entry) => {
    expect(compressPage({ entry, html }, { 'accept-encoding': 'gzip, br' })).toBeNull();
  });
});
