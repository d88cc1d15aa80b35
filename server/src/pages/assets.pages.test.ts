import { readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

/** Asks for a path as it is: a client of ours would put it in order first. */
function ask(path: string, encoding = 'identity'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept-encoding: ${encoding}\r\nconnection: close\r\n\r\n`,
      ),
    );
    let answer = '';
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString('latin1')));
    socket.once('end', () => resolve(answer)).once('error', reject);
  });
}

describe('/assets', () => {
  it('gives out what the pages load', async () => {
    const dist = fileURLToPath(new URL('../../../web/dist/', import.meta.url));
    const all = await readdir(dist, { withFileTypes: true });
    // The build keeps a note of its own beside them, which no page asks for; what shops load has a folder and a door.
    const names = all.filter((one) => one.isFile() && !one.name.startsWith('.')).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) expect((await ask(`/assets/${name}`)).split('\r\n')[0]).toContain(' 200 ');
  });

  it('S50 gives each out as the browser takes it, and a cache tells the forms apart', async () => {
    const dist = fileURLToPath(new URL('../../../web/dist/', import.meta.url));
    const name = (await readdir(dist)).find((one) => /^checkout-.*\.js$/.test(one)) ?? '';
    const forms = ['identity', 'gzip', 'br'];
    const heads = await Promise.all(
      forms.map(async (encoding) => (await ask(`/assets/${name}`, encoding)).split('\r\n\r\n')[0] ?? ''),
    );
    const read = (header: string) =>
      heads.map((head) => new RegExp(`^${header}: (.*)$`, 'im').exec(head)?.[1]?.trim());
    expect(read('content-encoding')).toEqual([undefined, 'gzip', 'br']);
    expect(new Set(read('etag')).size).toBe(forms.length);
    for (const vary of read('vary')) expect(vary?.toLowerCase()).toContain('accept-encoding');
  });

  it.each([
    '/assets/',
    '/assets/.',
    '/assets/..',
    '/assets/../manifest.json',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/assets/..\\..\\package.json',
    '/assets/....//package.json',
    '/assets//manifest.json',
    '/assets/./manifest.json',
    '/assets/manifest.json/',
    '/assets/x/../manifest.json',
    '/assets//etc/passwd',
    '/assets/.env',
    '/assets/.git/config',
    '/assets/manifest.json%00.js',
    '/assets/nothing.js',
  ])('Y21 answers 404 to %s', async (path) => {
    const answer = await ask(path);
    expect(answer.split('\r\n')[0]).toMatch(/ (400|404) /);
    if (!path.includes('%00')) expect(answer.split('\r\n')[0]).toContain(' 404 ');
    expect(answer).not.toContain('"workspaces"');
  });
});
