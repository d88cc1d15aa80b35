import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { stallNextCharge } from '../../test/support/faulty-processor.ts';
import { createTestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';

it('T43 a stop waits for what a client began that is gone: what it bought is paid before the store is closed', async () => {
  const app = await createTestApp();
  const offersIds = [await makeOffer(app.test)];
  const { server } = app.app;
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.address() as AddressInfo;
  const connected = once(server, 'connection');
  const { publicKey, secretKey } = app.test.keys;
  const headers = {
    'content-type': 'application/json',
    'x-svc-public-key': publicKey,
    'x-svc-secret-key': secretKey,
  };
  const request = http.request({ port, method: 'POST', path: '/v0/test-purchases/create', headers });
  request.on('error', () => {});
  const stalled = stallNextCharge(app);
  request.end(
    JSON.stringify({ offersIds, userEmail: 'gone@example.com', billingDetails: { countryCode: 'DE' } }),
  );
  await stalled.begun;
  const [socket] = await connected;
  const isGone = once(socket, 'close');
  request.destroy();
  await isGone;

  const hasNoConnections = once(server, 'close');
  let isClosed = false;
  const closing = app.app.close().then(() => {
    isClosed = true;
  });
  await hasNoConnections;
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  stalled.release();
  await closing;
  const { rows } = await app.service.pool.query('select status from payments');
  expect(rows).toEqual([{ status: 'PAID' }]);
  await app.close();
});
