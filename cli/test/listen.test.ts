import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../sdk/src/webhooks.ts';
import { buy } from '../../server/test/support/buying.ts';
import { createTestApp, type TestApp } from '../../server/test/support/harness.ts';
import { makeOffer } from '../../server/test/support/make-catalogue.ts';
import type { Io } from '../src/io.ts';
import { pause } from './pause.ts';
import { openTerminal, type Said, type Terminal, toEnv } from './terminal.ts';

let t: TestApp;
let terminal: Terminal;
let offer: string;
/** Real time as the service sees it: leases run out by it. */
let aheadMs = 0;
beforeAll(async () => {
  t = await createTestApp({}, undefined, { realNowMs: () => Date.now() + aheadMs });
  terminal = await openTerminal(t);
  offer = await makeOffer(t.test);
});
afterAll(async () => {
  // A command that ends while it connects leaves a connection that never asks anything.
  t.app.server.closeAllConnections();
  await t.close();
});

const open: Array<() => Promise<unknown>> = [];
/** What is kept from one test is not met by the next. */
let round = 0;
const asTest = (origin = terminal.origin) => ({
  ...toEnv(origin, t.test.keys),
  XDG_CONFIG_HOME: `${terminal.home}/${round}`,
});
/** What they were told names none of them any more. */
async function forgetListeners(): Promise<void> {
  await t.service.db.updateTable('webhookDeliveries').set({ listenerId: null }).execute();
  await t.service.db.deleteFrom('listeners').execute();
}
afterEach(async () => {
  round += 1;
  for (const close of open.splice(0).reverse()) await close();
  await forgetListeners();
});

interface Heard {
  body: string;
  headers: IncomingMessage['headers'];
}

/** Whoever is developed for: `answer` says what it does with each event. */
async function receive(answer: (heard: Heard, response: ServerResponse) => void = (_, r) => void r.end()) {
  const heard: Heard[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const bytes of request) body += bytes;
    const one = { body, headers: request.headers };
    heard.push(one);
    answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

interface Listening {
  said: { out: string[]; err: string[] };
  press(key: string): void;
  stop(): Promise<Said>;
}

function listen(url: string, changes: Partial<Io> = {}, flags = ''): Listening {
  const ending = new AbortController();
  const said = { out: [] as string[], err: [] as string[] };
  let press = (_key: string) => {};
  const running = terminal.run(`listen --forward-to ${url} ${flags}`, {
    env: asTest(),
    signal: ending.signal,
    // The pauses of a lost contact, shorter.
    sleep: (ms, signal) => pause(ms / 20, signal),
    onKey: (hear) => {
      press = hear;
      return () => {};
    },
    out: (line) => void said.out.push(line),
    err: (line) => void said.err.push(line),
    ...changes,
  });
  const stop = () => {
    ending.abort();
    return running;
  };
  open.push(stop);
  return { said, press: (key) => press(key), stop };
}

const purchase = (n = 0) => buy(t.test, { offersIds: [offer], userEmail: `buyer${n}@example.com` });
const typesOf = (heard: Heard[]) => heard.map(({ body }) => JSON.parse(body).type);

describe('listen', () => {
  it('X18 prints the secret first, and posts what the service signed with it, in order, a line each', async () => {
    const receiver = await receive();
    const { said, stop } = listen(receiver.url, {}, '--json');
    await expect.poll(() => said.out.length).toBe(1);
    const { secret } = JSON.parse(said.out[0] ?? '');
    await purchase(1);
    await expect.poll(() => said.out.length).toBe(2);
    const [{ body, headers } = { body: '', headers: {} }] = receiver.heard;
    expect(await verifyWebhook({ body, headers, secret })).toMatchObject({ type: 'payment_success' });
    const { id } = JSON.parse(body);
    expect(JSON.parse(said.out[1] ?? '')).toMatchObject({ type: 'payment_success', id, status: 200 });
    await expect
      .poll(async () => (await t.test.get(`/v0/events/${id}/deliveries`)).body.data.deliveries[0].status)
      .toBe('delivered');
    expect((await stop()).exit).toBe(130);
  });

  it('X18 100 purchases at once, the service gone and back, reports lost: 100 events, once each', async () => {
    const receiver = await receive();
    const door = await openDoor();
    const env = asTest(door.origin);
    const { said, stop } = listen(receiver.url, { env });
    await expect.poll(() => said.out.length).toBe(1);
    const buying = Array.from({ length: 100 }, (_, n) => purchase(n));
    await expect.poll(() => receiver.heard.length).toBeGreaterThan(0);
    door.shut();
    await Promise.all(buying);
    // Whoever is away for a minute is handed out anew what it did not report.
    aheadMs += 61_000;
    door.reopen();
    const ids = () => receiver.heard.map(({ body }) => JSON.parse(body).id);
    await expect.poll(() => new Set(ids()).size).toBe(100);
    await expect
      .poll(async () => {
        const { rows } = await countDeliveries();
        return rows;
      })
      .toEqual({ delivered: 100 });
    expect(ids()).toHaveLength(100);
    const secret = said.out[0] ?? '';
    for (const { body, headers } of receiver.heard)
      await verifyWebhook({ body, headers, secret, toleranceS: 3600 });
    expect(typesOf(receiver.heard).every((type) => type === 'payment_success')).toBe(true);
    await stop();
  });

  it('X18 keeps listener and secret: what happens while nobody listens is heard the next time', async () => {
    const receiver = await receive();
    const first = listen(receiver.url);
    await expect.poll(() => first.said.out.length).toBe(1);
    await first.stop();
    await purchase(1);
    const second = listen(receiver.url);
    await expect.poll(() => receiver.heard.length).toBe(1);
    expect(second.said.out[0]).toBe(first.said.out[0]);
    expect(await t.service.db.selectFrom('listeners').selectAll().execute()).toHaveLength(1);
  });

  it('makes a listener anew where that of before has ended, with the same secret', async () => {
    const receiver = await receive();
    const first = listen(receiver.url);
    await expect.poll(() => first.said.out.length).toBe(1);
    await first.stop();
    await forgetListeners();
    const second = listen(receiver.url);
    await expect.poll(async () => t.service.db.selectFrom('listeners').selectAll().execute()).toHaveLength(1);
    await purchase(1);
    await expect.poll(() => receiver.heard.length).toBe(1);
    expect(second.said.out[0]).toBe(first.said.out[0]);
  });

  it('posts ten at once at most, follows no redirect, and keeps attempts that failed', async () => {
    let running = 0;
    let most = 0;
    const waiting: Array<() => void> = [];
    const receiver = await receive((_, response) => {
      running += 1;
      most = Math.max(most, running);
      waiting.push(() => {
        running -= 1;
        response.writeHead(302, { location: '/elsewhere' }).end('over there');
      });
    });
    const { said } = listen(receiver.url, {}, '--json');
    await expect.poll(() => said.out.length).toBe(1);
    await Promise.all(Array.from({ length: 12 }, (_, n) => purchase(n)));
    await expect.poll(() => running).toBe(10);
    while (receiver.heard.length < 12 || running > 0) {
      for (const go of waiting.splice(0)) go();
      await pause(5, new AbortController().signal);
    }
    await expect.poll(async () => (await countDeliveries()).rows).toEqual({ failed: 12 });
    expect([most, receiver.heard.length]).toEqual([10, 12]);
    const attempts = await t.service.db
      .selectFrom('webhookAttempts')
      .select('responseText')
      .where('statusCode', '=', 302)
      .execute();
    expect(attempts.map(({ responseText }) => responseText)).toEqual(Array(12).fill('over there'));
    expect(said.out.slice(1).every((line) => JSON.parse(line).status === 302)).toBe(true);
  });

  it('resends the last failure with r, signed anew', async () => {
    let status = 500;
    const receiver = await receive((_, response) => void response.writeHead(status).end());
    const { said, press } = listen(receiver.url);
    await expect.poll(() => said.out.length).toBe(1);
    await purchase(1);
    await expect.poll(() => said.out.length).toBe(2);
    status = 200;
    press('r');
    await expect.poll(() => said.out.length).toBe(3);
    const [first, again] = receiver.heard;
    expect(again?.body).toBe(first?.body);
    const secret = said.out[0] ?? '';
    await verifyWebhook({ body: again?.body ?? '', headers: again?.headers ?? {}, secret });
    expect(said.out[2]).toMatch(/payment_success .* 200 /);
  });

  it('X20 without contact for ten minutes it ends with exit 7, having tried ever more seldom', async () => {
    const door = await openDoor();
    const receiver = await receive();
    let nowMs = 1_700_000_000_000;
    const pauses: number[] = [];
    const sleep = async (ms: number) => {
      pauses.push(ms);
      nowMs += ms;
    };
    door.shut();
    const env = asTest(door.origin);
    const said = await terminal.run(`listen --forward-to ${receiver.url}`, {
      env,
      sleep,
      nowMs: () => nowMs,
    });
    expect(said.exit).toBe(7);
    expect(pauses.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 30, 30].map((s) => s * 1000));
    const sum = pauses.reduce((all, ms) => all + ms, 0);
    expect(sum).toBeGreaterThanOrEqual(600_000);
    expect(sum).toBeLessThan(640_000);
  });

  it('X20 a sleeping machine is not one without contact', async () => {
    const door = await openDoor();
    const receiver = await receive();
    let nowMs = 1_700_000_000_000;
    let tries = 0;
    door.shut();
    const sleep = async (ms: number) => {
      tries += 1;
      // The lid was closed for an hour, twice.
      nowMs += ms + (tries <= 2 ? 3_600_000 : 0);
      if (tries === 3) door.reopen();
    };
    const env = asTest(door.origin);
    const { said } = listen(receiver.url, { env, sleep, nowMs: () => nowMs });
    await expect.poll(() => said.err).toContain('Connected again.');
    expect(said.out).toHaveLength(1);
  });

  it('X20 says that the sixth listener is refused, and asks before it hears live events', async () => {
    const five = { name: 'laptop', events: ['payment_success'] };
    for (let n = 0; n < 5; n += 1) await t.test.post('/v0/listeners/create', five);
    const env = asTest();
    const sixth = await terminal.run('listen --forward-to http://127.0.0.1:9 --json', { env });
    expect(sixth.exit).toBe(3);
    expect(JSON.parse(sixth.out[0] ?? '').error.code).toBe('listener_limit_reached');
    const live = await terminal.run('listen --forward-to http://127.0.0.1:9', {
      env: toEnv(terminal.origin, t.live.keys),
    });
    expect(live.exit).toBe(2);
    for (const url of ['ftp://x', 'http://ada:pw@127.0.0.1:9', 'http://ada@127.0.0.1:9'])
      expect([url, (await terminal.run(`listen --forward-to ${url}`, { env })).exit]).toEqual([url, 2]);
  });
});

async function countDeliveries() {
  const all = await t.service.db.selectFrom('webhookDeliveries').select(['status', 'listenerId']).execute();
  const listeners = await t.service.db.selectFrom('listeners').select('id').execute();
  const own = all.filter(({ listenerId }) => listeners.some(({ id }) => id === listenerId));
  const rows: Record<string, number> = {};
  for (const { status } of own) rows[status] = (rows[status] ?? 0) + 1;
  return { rows };
}

/** A way to the service that can be shut: connections break, and new ones are refused. */
async function openDoor() {
  const sockets = new Set<Socket>();
  const target = Number(new URL(terminal.origin).port);
  let isShut = false;
  const server = net.createServer((client) => {
    if (isShut) return void client.destroy();
    const inner = net.connect(target, '127.0.0.1');
    for (const socket of [client, inner]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(socket);
          client.destroy();
          inner.destroy();
        });
    }
    client.pipe(inner).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const shut = () => {
    isShut = true;
    for (const socket of sockets) socket.destroy();
  };
  open.push(async () => {
    shut();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut,
    reopen: () => {
      isShut = false;
    },
  };
}
