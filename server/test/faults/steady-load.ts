/** A shop's buyers and its own list calls, at a steady pace, while the processes that answer come and go. */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Credentials } from './service-process.ts';

const RUNNING_MAX = 32;

export interface Answered {
  status: number;
  // What is read of it is looked at where it is used.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

interface Sending {
  body?: unknown;
  /** Of the same request, sent again. */
  key?: string;
}

/** Whoever is told to come back does, with the same key, as the SDK: a busy machine may have no connection free in time. */
export interface Shop {
  countComebacks(): number;
  ask(port: number, method: string, path: string, sending?: Sending): Promise<Answered>;
  buy(port: number, offerId: string, buyer: string, key?: string): Promise<Answered>;
  makeOffer(port: number, type: 'Game' | 'Subscription'): Promise<string>;
  close(): void;
}

const COME_BACK_MS = 200;
const isToldToComeBack = ({ status, body }: Answered) =>
  status === 503 || (status === 409 && body.error.code === 'clock_advancing');

export function openShop({ test: { publicKey, secretKey } }: Pick<Credentials, 'test'>): Shop {
  /** Sockets take turns, so that none of them rests for so long that it would be closed. */
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8, scheduling: 'fifo' });
  const askOnce = (
    port: number,
    method: string,
    path: string,
    { body, key }: Required<Sending>,
  ): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'x-svc-public-key': publicKey,
        'x-svc-secret-key': secretKey,
        ...(method === 'POST' ? { 'idempotency-key': key } : {}),
      };
      const request = http.request({ host: '127.0.0.1', port, agent, method, path, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
        response.on('error', reject);
      });
      request.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  let cameBack = 0;
  const ask: Shop['ask'] = async (port, method, path, { body, key = randomUUID() } = {}) => {
    for (;;) {
      const answer = await askOnce(port, method, path, { body, key });
      if (!isToldToComeBack(answer)) return answer;
      cameBack += 1;
      await wait(COME_BACK_MS);
    }
  };
  return {
    ask,
    countComebacks: () => cameBack,
    buy: (port, offerId, buyer, key) => {
      const userEmail = `${buyer}@example.com`;
      const body = { offersIds: [offerId], userEmail, billingDetails: { countryCode: 'DE' } };
      return ask(port, 'POST', '/v0/test-purchases/create', { body, ...(key === undefined ? {} : { key }) });
    },
    makeOffer: async (port, type) => {
      const product = await ask(port, 'POST', '/v0/products/create', {
        body: { type, name: 'Rocket' },
      });
      const recurring =
        type === 'Subscription' ? { recurringInterval: 'month', recurringIntervalCount: 1 } : {};
      const fields = { productId: product.body.data.product.id, price: 999, currency: 'EUR', ...recurring };
      const { body } = await ask(port, 'POST', '/v0/offers/create', { body: fields });
      return body.data.offer.id;
    },
    close: () => agent.destroy(),
  };
}

const isRefused = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

interface Told {
  answered: number;
  refused: number;
  failures: unknown[];
}

export interface SteadyLoad {
  /** Some more are answered. */
  more(): Promise<void>;
  end(): Promise<{ told: Told; paid: number }>;
}

interface Loading {
  offerId: string;
  paceMs: number;
  listPorts: () => number[];
}

/** By turns to each process, and to the other where one refuses; a purchase in ten. */
export function startLoad(shop: Shop, { offerId, paceMs, listPorts }: Loading): SteadyLoad {
  const told: Told = { answered: 0, refused: 0, failures: [] };
  let paid = 0;
  let isOver = false;
  const running = new Set<Promise<void>>();
  const send = (turn: number, port: number, key: string) =>
    turn % 10 === 0
      ? shop.buy(port, offerId, `late${turn}`, key)
      : shop.ask(port, 'GET', turn % 2 === 0 ? '/v0/offers/list' : '/v0/orders/list?take=5', { key });
  const one = async (turn: number) => {
    const ports = listPorts();
    const key = randomUUID();
    for (let tries = 0; tries < ports.length; tries += 1) {
      try {
        const { status, body } = await send(turn, ports[(turn + tries) % ports.length] ?? 0, key);
        if (status !== 200) told.failures.push({ status, body });
        else told.answered += 1;
        if (status === 200 && turn % 10 === 0) paid += 1;
        return;
      } catch (error) {
        if (!isRefused(error)) {
          told.failures.push(String(error));
          return;
        }
        told.refused += 1;
      }
    }
    told.failures.push('each of them refused');
  };
  const loop = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const request: Promise<void> = one(turn).finally(() => running.delete(request));
      running.add(request);
      if (running.size >= RUNNING_MAX) await Promise.race(running);
      await wait(paceMs);
    }
    await Promise.all(running);
  })();
  return {
    more: async () => {
      const before = told.answered;
      await expect.poll(() => told.answered, { interval: 10 }).toBeGreaterThan(before + 2 * RUNNING_MAX);
    },
    end: async () => {
      isOver = true;
      await loop;
      return { told, paid };
    },
  };
}
