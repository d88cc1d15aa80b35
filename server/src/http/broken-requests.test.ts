/** Requests that never come to a route, over a socket: no client library sends them. */
import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { portOf } from '../../test/support/port-of.ts';

let app: TestApp;
let port: number;
/** Each line of the log, as it is written. */
const told = new EventEmitter();
beforeAll(async () => {
  app = await createTestApp(
    {},
    pino({ level: 'info' }, { write: (line: string) => void told.emit('line', JSON.parse(line)) }),
  );
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
    ['has no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n'],
    [
      'expects what is not done here',
      'GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: more\r\nconnection: close\r\n\r\n',
    ],
    ['asks for a tunnel', 'CONNECT mail.example:443 HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['has more headers than are read', `GET / HTTP/1.1\r\nhost: a\r\nx-a: ${'a'.repeat(40_000)}\r\n\r\n`],
  ])('is 400 in the form of all answers where it %s', async (_how, request) => {
    const { head, body } = await send(request);
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    const { status, error } = JSON.parse(body);
    expect({ status, code: error.code }).toEqual({ status: 'error', code: 'invalid_input' });
    expect(head).toContain(`x-request-id: ${error.requestId}`);
    expect(body).not.toMatch(/mail\.example|HPE_|at \//);
  });

  it('is none where an old client names no host, or one waits until it may go on', async () => {
    const old = await send('GET /healthz HTTP/1.0\r\n\r\n');
    expect(old.head).toMatch(/^HTTP\/1\.1 200 /);
    const waits =
      'POST /nowhere HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n{}';
    const { head, body } = await send(waits);
    expect(head).toBe('HTTP/1.1 100 Continue');
    expect(body).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('brings nothing of what is smuggled behind it to a route', async () => {
    const { head, body } = await send(
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: a\r\n\r\n',
    );
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(body).not.toContain('"ok"');
  });
});

describe('a body that breaks off', () => {
  // Where who asks is looked up first the body is read later than it can break off.
  it.each(['/oauth/token', '/nowhere'])('of %s is refused, and told as no bug of ours', async (path) => {
    const client = net.connect(port, '127.0.0.1').on('error', () => {});
    const arrived = once(app.app.server, 'request');
    client.write(
      `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{`,
    );
    await arrived;
    const said = once(told, 'line');
    client.resetAndDestroy();
    const [line] = await said;
    expect(line).toMatchObject({ level: 30, status: 400, code: 'invalid_input' });
  });
});

describe('a request of a connection that was reset meanwhile', () => {
  it('is told as no bug of ours, and does nothing more', async () => {
    const met = once(app.app.server, 'connection');
    const client = net.connect(port, '127.0.0.1').on('error', () => {});
    const [socket] = await met;
    // What the system says of it from then on.
    Object.defineProperty(socket, 'remoteAddress', { value: undefined });
    const said = once(told, 'line');
    client.write('GET /v0/products/list HTTP/1.1\r\nhost: a\r\n\r\n');
    const [[line]] = await Promise.all([said, once(client, 'close')]);
    expect(line).toMatchObject({ level: 30, code: 'rate_limited' });
  });
});
