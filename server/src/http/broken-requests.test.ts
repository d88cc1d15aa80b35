/** Requests that never come to a route, over a socket: no client library sends them. */
import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { portOf } from '../../test/support/port-of.ts';

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(app.app.server);
});
afterAll(() => app.close());

async function send(request: string): Promise<{ head: string; body: string }> {
  const client = net.connect(port, '127.0.0.1').setEncoding('utf8');
  client.on('error', () => {});
  let text = '';
  client.on('data', (part: string) => (text += part));
  client.write(request);
  await once(client, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { head, body };
}

describe('a request that cannot be read as HTTP', () => {
  it.each([
    [
      'has two lengths',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['is no HTTP', 'HELO mail.example\r\n\r\n'],
    ['has a folded header', 'GET / HTTP/1.1\r\nhost: a\r\nx-a: b\r\n c\r\n\r\n'],
    ['has more headers than are read', `GET / HTTP/1.1\r\nhost: a\r\nx-a: ${'a'.repeat(40_000)}\r\n\r\n`],
  ])('is 400 in the form of all answers where it %s', async (_how, request) => {
    const { head, body } = await send(request);
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    const { status, error } = JSON.parse(body);
    expect({ status, code: error.code }).toEqual({ status: 'error', code: 'invalid_input' });
    expect(head).toContain(`x-request-id: ${error.requestId}`);
    expect(body).not.toMatch(/mail\.example|HPE_|at \//);
  });

  it('brings nothing of what is smuggled behind it to a route', async () => {
    const { head, body } = await send(
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: a\r\n\r\n',
    );
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(body).not.toContain('"ok"');
  });
});
