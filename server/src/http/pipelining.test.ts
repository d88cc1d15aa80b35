import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { portOf } from '../../test/support/port-of.ts';
import { IN_FLIGHT_MAX } from './pipelining.ts';

let app: TestApp;
let port: number;
let asked = 0;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(app.app.server);
  const { pool } = app.service;
  const query = pool.connect.bind(pool);
  pool.connect = ((...given: []) => {
    asked += 1;
    return query(...given);
  }) as typeof pool.connect;
});
afterAll(() => app.close());

const toRequest = (path: string) =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-svc-public-key: ${app.test.keys.publicKey}\r\n` +
  `x-svc-secret-key: ${app.test.keys.secretKey}\r\n\r\n`;

/** A client that sends all at once; unless it reads, it is deaf to what comes. */
async function send(path: string, count: number, { reads }: { reads: boolean }) {
  const client = net.connect(port, '127.0.0.1');
  await once(client, 'connect');
  let text = '';
  if (reads) client.setEncoding('utf8').on('data', (part: string) => (text += part));
  client.on('error', () => {});
  client.write(toRequest(path).repeat(count));
  return { client, answers: () => text.split('HTTP/1.1 200').length - 1 };
}

describe('requests that are sent before the answers to others were read', () => {
  it('are answered in order, up to the bound', async () => {
    const { client, answers } = await send('/v0/products/list', IN_FLIGHT_MAX, { reads: true });
    await expect.poll(answers, { timeout: 60_000 }).toBe(IN_FLIGHT_MAX);
    client.destroy();
  });

  it('close the connection beyond it, and what is beyond is not worked on', async () => {
    await app.test.get('/v0/products/list');
    const before = asked;
    const { client } = await send('/v0/products/list', 1_500, { reads: false });
    // The end is seen by who reads.
    client.resume();
    await new Promise((resolve) => client.once('close', resolve));
    // Products, their count and the definitions of their fields each, and the key pair for all of them.
    expect(asked - before).toBeLessThanOrEqual(IN_FLIGHT_MAX * 3 + 1);
    expect((await app.test.get('/v0/products/list')).status).toBe(200);
  });

  it('close the connection where their answers pile up unread', async () => {
    const served = app.app.server;
    const { client } = await send('/openapi.json', IN_FLIGHT_MAX, { reads: false });
    const count = () =>
      new Promise<number>((resolve) => served.getConnections((_error, open) => resolve(open)));
    await expect.poll(count, { timeout: 60_000 }).toBe(0);
    client.destroy();
  });
});
