/** A processor, or whoever stands in its place, that answers without an end, or as slowly as it likes. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANSWER_MAX } from './answer-limit.ts';
import { createPayPalClients } from './paypal/client.ts';
import { createStripeClient } from './stripe/client.ts';

/** What a socket, and whatever lies on the way, may hold besides. */
const ON_THE_WAY = 16 * 1024 * 1024;
const PART = Buffer.alloc(64 * 1024, ' ');
const DRIP_MS = 20;

let server: Server;
let apiUrl: string;
let answer: (response: ServerResponse) => void;
/** Until its reader has had enough of it. */
let ended: Promise<void>;

beforeAll(async () => {
  server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.url === '/v1/oauth2/token') {
      response.end(JSON.stringify({ access_token: 'one', expires_in: 3_600 }));
      return;
    }
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** `next` is called again as long as the answer is read. */
function answerBy(next: (response: ServerResponse, again: () => void) => void): void {
  ended = new Promise((resolve) => {
    answer = (response) => {
      let isClosed = false;
      response.on('close', () => {
        isClosed = true;
        resolve();
      });
      const again = () => {
        if (!isClosed) next(response, again);
      };
      again();
    };
  });
}

const options = (timeoutMs: number) => ({ apiUrl, timeoutMs, realNowMs: () => 0 });

const CLIENTS: ReadonlyArray<[string, (timeoutMs: number) => Promise<unknown>]> = [
  [
    'Stripe',
    (timeoutMs) =>
      createStripeClient('sk_test_1', options(timeoutMs)).ask((sdk, asking) =>
        sdk.balance.retrieve({}, asking),
      ),
  ],
  [
    'PayPal',
    (timeoutMs) => {
      const open = createPayPalClients({ ...options(timeoutMs), sandboxApiUrl: apiUrl });
      const client = open({ clientId: 'id', clientSecret: 'secret' }, true);
      return client.ask({ method: 'GET', path: '/v1/reporting/balances' });
    },
  ],
];

it.each(CLIENTS)('what %s answers is read no further than its limit', async (_name, ask) => {
  let written = 0;
  answerBy((response, again) => {
    written += PART.length;
    if (response.write(PART)) setImmediate(again);
    else response.once('drain', again);
  });
  await expect(ask(60_000)).rejects.toMatchObject({ kind: 'unknown' });
  await ended;
  expect(written).toBeGreaterThan(ANSWER_MAX);
  expect(written).toBeLessThan(ANSWER_MAX + ON_THE_WAY);
});

it.each(CLIENTS)('what %s answers byte by byte is left when its time is over', async (_name, ask) => {
  answerBy((response, again) => {
    response.write(' ');
    setTimeout(again, DRIP_MS);
  });
  await expect(ask(500)).rejects.toMatchObject({ kind: 'unknown' });
  await ended;
});
