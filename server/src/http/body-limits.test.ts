/** What a stranger can have held in memory: bodies that begin and do not end. */
import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { portOf } from '../../test/support/port-of.ts';
import { toShortId } from '../domain/link-token.ts';
import { STRANGERS_BODY_BYTES } from './body-limits.ts';

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(app.app.server);
});
afterAll(() => app.close());

/** Says that `bytes` come, sends one, and answers the status that comes before any other. */
async function begin(path: string, bytes: number): Promise<number> {
  const client = net.connect(port, '127.0.0.1').setEncoding('utf8');
  client.on('error', () => {});
  const headers = `host: localhost:${port}\r\norigin: http://localhost:${port}\r\ncontent-type: application/json`;
  client.write(`POST ${path} HTTP/1.1\r\n${headers}\r\ncontent-length: ${bytes}\r\n\r\n{`);
  const [text] = (await once(client, 'data')) as [string];
  client.destroy();
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
}

describe('a body of somebody whom nobody knows', () => {
  it('Y11 is not waited for where a processor tells of something at an address that is none', async () => {
    const token = `${toShortId(app.test.scope.workspaceId)}.${'x'.repeat(43)}`;
    expect(await begin(`/processor-events/${token}`, 1_000_000)).toBe(404);
    expect(await begin('/processor-events/nothing', 1_000_000)).toBe(404);
  });

  it.each([
    '/v0/session',
    '/v0/password-reset/request',
    '/v0/portal/sign-in/request',
    '/v0/portal/withdrawals',
    '/checkout-sessions/nothing/confirm',
    '/payment-pages/nothing/pay',
    '/sandbox/authenticate/nothing',
  ])('Y17 is 413 above 64 KiB at %s, before it has come', async (path) => {
    expect(await begin(path, STRANGERS_BODY_BYTES + 1)).toBe(413);
  });

  it('Y17 is not waited for where a key is asked for', async () => {
    expect(await begin('/v0/products/create', 1_000_000)).toBe(401);
  });
});
