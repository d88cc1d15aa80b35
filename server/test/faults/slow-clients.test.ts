/** Clients that send a byte now and then: they hold up nobody, and are cut off. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { setInterval as every } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/harness.ts';

const SLOW = 500;
const BYTE_EVERY_MS = 10_000;
const CUT_WITHIN_MS = 60_000;
/** Of the good client's questions: as fast as it can it would take a core of its own for that minute. */
const ASK_EVERY_MS = 50;
/** Until the server looks at its connections again, on a busy machine. */
const SLACK_MS = 8_000;

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

/** Half of them never come to the end of their headers, the others never to that of their body. */
async function openSlow(index: number): Promise<{ cut: Promise<number> }> {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const startedMs = performance.now();
  const { publicKey, secretKey } = app.test.keys;
  const keys = `x-svc-public-key: ${publicKey}\r\nx-svc-secret-key: ${secretKey}\r\n`;
  const json = `content-type: application/json\r\ncontent-length: 1000\r\n\r\n`;
  const start = 'POST /v0/products/create HTTP/1.1\r\nhost: localhost\r\n';
  socket.write(index % 2 === 0 ? start : start + keys + json);
  const drip = setInterval(() => socket.write('x'), BYTE_EVERY_MS);
  socket.on('error', () => {});
  socket.resume();
  // Not by `once`: it takes a connection that was reset for a failure.
  const cut = new Promise<number>((resolve) => {
    socket.on('close', () => {
      clearInterval(drip);
      resolve(performance.now() - startedMs);
    });
  });
  return { cut };
}

it('T37 500 sockets of a byte in 10 s hold up nobody, and are cut within a minute', async () => {
  const slow: Array<Promise<number>> = [];
  for (let index = 0; index < SLOW; index += 1) slow.push((await openSlow(index)).cut);
  let areCut = false;
  const all = Promise.all(slow).finally(() => {
    areCut = true;
  });
  const headers = {
    'x-svc-public-key': app.test.keys.publicKey,
    'x-svc-secret-key': app.test.keys.secretKey,
  };
  const statuses = new Map<number, number>();
  for await (const _ of every(ASK_EVERY_MS)) {
    if (areCut) break;
    const { status } = await fetch(`http://127.0.0.1:${port}/v0/products/list`, { headers });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const cutMs = await all;
  expect([...statuses.keys()]).toEqual([200]);
  expect(statuses.get(200)).toBeGreaterThan(100);
  expect(Math.max(...cutMs)).toBeLessThan(CUT_WITHIN_MS + SLACK_MS);
  const connections = await new Promise<number>((resolve, reject) =>
    app.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
  // What is left are those of the good client.
  expect(connections).toBeLessThan(20);
});
