import { execFileSync } from 'node:child_process';
import type { LookupAddress } from 'node:dns';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createReceiver, type Receiver } from '../../test/support/receiver.ts';
import type { OutgoingResult } from './outgoing.ts';
import { createEgress, type Egress } from './safe-fetch.ts';

const LOOPBACK = ['127.0.0.0/8'];
const KIB_64 = 64 * 1024;

let receiver: Receiver;
const open: Array<{ close(): unknown }> = [];

beforeAll(async () => {
  receiver = await createReceiver();
});
afterAll(() => receiver.close());
afterEach(async () => {
  receiver.reset();
  for (const one of open.splice(0)) await one.close();
});

/** A resolver by script: each name gives its answers one after the other, the last one for ever. */
function resolveBy(names: Record<string, string[][]>): (host: string) => Promise<LookupAddress[]> {
  return async (host) => {
    const answers = names[host] ?? [];
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
}

function makeEgress(names: Record<string, string[][]> = {}, allowCidrs = LOOPBACK): Egress {
  const egress = createEgress({ allowCidrs, resolve: resolveBy(names) });
  open.push(egress);
  return egress;
}

function post(egress: Egress, url: string, timeoutMs = 2_000): Promise<OutgoingResult> {
  return egress.send({ method: 'POST', url, headers: { 'x-test': '1' }, body: '{"a":1}', timeoutMs });
}

/** A server below HTTP: it says what it wants. */
async function listen(greet: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => greet(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
}

describe('the service’s own address', () => {
  const make = (publicUrl = 'https://pay.example') => {
    const names = { 'pay.example': [['127.0.0.1']], 'other.example': [['127.0.0.1']] };
    const own = { publicUrl, port: receiver.port };
    const egress = createEgress({ allowCidrs: LOOPBACK, own, resolve: resolveBy(names) });
    open.push(egress);
    return egress;
  };
  const toUrls = () => [
    'https://pay.example/hook',
    'http://PAY.example/',
    'https://pay.example:443/v0/webhooks/create',
    `http://127.0.0.1:${receiver.port}/`,
    `http://127.1:${receiver.port}/`,
    `http://[::ffff:127.0.0.1]:${receiver.port}/`,
    `http://other.example:${receiver.port}/`,
  ];

  it('is refused, and nothing is sent there, however it is written', async () => {
    const egress = make();
    for (const url of toUrls()) {
      expect({ url, ...(await egress.checkUrl(url)) }).toMatchObject({ url, kind: 'blocked' });
      expect({ url, ...(await post(egress, url)) }).toMatchObject({ url, kind: 'failed', error: 'blocked' });
    }
    expect(receiver.requests).toEqual([]);
  });

  it('is the port as well: what else listens on the machine is reached', async () => {
    const port = Number(new URL(await listen((socket) => socket.end('HTTP/1.1 204 No\r\n\r\n'))).port);
    expect(await make().checkUrl(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'ok' });
    expect(await post(make(), `http://other.example:${port}/`)).toMatchObject({ statusCode: 204 });
  });
});

describe('send', () => {
  it('sends method, headers and body as given and answers status, headers, text and address', async () => {
    receiver.script({ status: 202, headers: { 'retry-after': '7' }, body: 'thanks' });
    const result = await post(makeEgress(), `${receiver.url}/hook?x=1`);
    expect(result).toMatchObject({ kind: 'answered', statusCode: 202, body: 'thanks', isCut: false });
    expect(result).toMatchObject({ headers: { 'retry-after': '7' }, address: '127.0.0.1' });
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hook?x=1', headers: { 'x-test': '1' } });
    expect(request?.raw.toString()).toBe('{"a":1}');
  });

  it('connects to the address that was checked, and to that alone', async () => {
    const egress = makeEgress({ 'shop.example': [['127.0.0.1']] });
    const result = await post(egress, `http://shop.example:${receiver.port}/`);
    expect(result).toMatchObject({ kind: 'answered', statusCode: 200, address: '127.0.0.1' });
    expect(receiver.requests[0]?.headers.host).toBe(`shop.example:${receiver.port}`);
  });

  it.each([
    ['a loopback address', 'http://127.0.0.1'],
    ['a short address', 'http://127.1'],
    ['a decimal address', 'http://2130706433'],
    ['a mapped address', 'http://[::ffff:127.0.0.1]'],
    ['a name that leads to loopback', 'http://inside.example'],
    ['a name with one public and one private address', 'http://mixed.example'],
    ['localhost', 'http://localhost'],
    ['user info', 'http://me@public.example'],
  ])('blocks %s before a byte is sent', async (_name, url) => {
    const egress = makeEgress(
      {
        'inside.example': [['127.0.0.1']],
        'mixed.example': [['8.8.8.8', '127.0.0.1']],
        localhost: [['127.0.0.1', '::1']],
      },
      [],
    );
    const result = await post(egress, `${url}:${receiver.port}/`);
    expect(result).toMatchObject({ kind: 'failed', error: 'blocked' });
    expect(receiver.requests).toEqual([]);
  });

  it('T30 blocks a name that was public when it was checked and is not when it is connected to', async () => {
    const egress = makeEgress({ 'turns.example': [['8.8.8.8'], ['127.0.0.1']] }, []);
    const url = `http://turns.example:${receiver.port}/`;
    expect(await egress.checkUrl(url)).toEqual({ kind: 'ok' });
    expect(await post(egress, url)).toMatchObject({ kind: 'failed', error: 'blocked' });
    expect(receiver.requests).toEqual([]);
  });

  it.each([301, 302, 303, 307, 308])('T23 does not follow a %i', async (status) => {
    receiver.script({ status, headers: { location: `${receiver.url}/canary` } });
    expect(await post(makeEgress(), receiver.url)).toMatchObject({ kind: 'answered', statusCode: status });
    expect(receiver.requests).toHaveLength(1);
  });

  it('ignores proxy variables', async () => {
    process.env.HTTP_PROXY = 'http://127.0.0.1:9';
    try {
      expect(await post(makeEgress(), receiver.url)).toMatchObject({ statusCode: 200 });
    } finally {
      delete process.env.HTTP_PROXY;
    }
  });

  it('ends a silent receiver at the timeout and says so', async () => {
    receiver.script('hang');
    const result = await post(makeEgress(), receiver.url, 150);
    expect(result).toMatchObject({ kind: 'failed', error: 'timeout', address: '127.0.0.1' });
  });

  it('keeps the first 64 KiB of a long answer and reads no further', async () => {
    receiver.script({ status: 200, body: Buffer.alloc(20 * 1024 * 1024, 'x') });
    const result = await post(makeEgress(), receiver.url);
    expect(result).toMatchObject({ kind: 'answered', statusCode: 200, isCut: true });
    expect(result.kind === 'answered' && result.body.length).toBe(KIB_64);
  });

  it('T25 reads no more of an endless answer than it keeps, beyond what was under way', async () => {
    let written = 0;
    const url = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\n\r\n');
      const part = Buffer.alloc(KIB_64, 'x');
      const push = () => {
        while (!socket.destroyed && written < 100 * 1024 * 1024) {
          written += part.length;
          if (!socket.write(part)) return;
        }
      };
      socket.on('drain', push);
      push();
    });
    expect(await post(makeEgress(), url)).toMatchObject({ statusCode: 200, isCut: true });
    // The buffers of two sockets, and not the hundred megabytes.
    expect(written).toBeLessThan(20 * 1024 * 1024);
  });

  it('keeps an answer of exactly 64 KiB whole', async () => {
    receiver.script({ status: 200, body: Buffer.alloc(KIB_64, 'x') });
    const result = await post(makeEgress(), receiver.url);
    expect(result).toMatchObject({ isCut: false, body: 'x'.repeat(KIB_64) });
  });

  it('T25 keeps the status of an answer that trickles, and what came of it in time', async () => {
    const url = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nhello');
    });
    expect(await post(makeEgress(), url, 200)).toMatchObject({ statusCode: 200, body: 'hello', isCut: true });
  });

  it('T25 gives up on headers that do not end', async () => {
    const url = await listen((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(KIB_64)}\r\n\r\n`);
    });
    expect(await post(makeEgress(), url)).toMatchObject({ kind: 'failed', error: 'connection' });
  });

  it('tells a refused and a cut connection, an unknown name and a broken handshake apart', async () => {
    const egress = makeEgress();
    receiver.script('cut');
    expect(await post(egress, receiver.url)).toMatchObject({ error: 'connection' });
    expect(await post(egress, 'http://127.0.0.1:1/')).toMatchObject({
      error: 'connection',
      address: '127.0.0.1',
    });
    expect(await post(egress, 'http://nowhere.example/')).toMatchObject({ error: 'dns', address: null });
    const plain = await listen((socket) => socket.end('this is no TLS'));
    expect(await post(egress, plain.replace('http', 'https'))).toMatchObject({ error: 'tls' });
  });

  it('uses connections again', async () => {
    const egress = makeEgress();
    for (let n = 0; n < 6; n += 1)
      expect(await post(egress, receiver.url)).toMatchObject({ statusCode: 200 });
    const connections = new Set(receiver.requests.map(({ remotePort }) => remotePort));
    // Two, since a request that follows at once finds the first connection still ending its answer.
    expect(connections.size).toBeLessThanOrEqual(2);
  });
});

describe('checkUrl', () => {
  it('lets a name pass whose every address is public, without sending a request', async () => {
    const egress = makeEgress({ 'shop.example': [['8.8.8.8', '2606:4700:4700::1111']] }, []);
    expect(await egress.checkUrl('https://shop.example/hook')).toEqual({ kind: 'ok' });
  });

  it.each([
    ['a private address among public ones', 'https://mixed.example/'],
    ['a name of the own network', 'https://db.internal/'],
    ['a name without an address', 'https://nowhere.example/'],
    ['a private address', 'http://192.168.0.1/'],
  ])('Y24 blocks %s in the same words, and tells nothing of what it found', async (_name, url) => {
    const names = { 'mixed.example': [['8.8.8.8', '10.0.0.1']], 'db.internal': [['10.0.0.7']] };
    const egress = makeEgress(names, []);
    const reason = 'it leads to an address that is not public';
    expect(await egress.checkUrl(url)).toEqual({ kind: 'blocked', reason });
  });

  it('says what is wrong with the form of a URL', async () => {
    const reason = expect.stringMatching(/only http and https/);
    expect(await makeEgress({}, []).checkUrl('ftp://shop.example/')).toEqual({ kind: 'blocked', reason });
  });

  it('asks the machine for localhost and refuses it', async () => {
    const egress = createEgress({ allowCidrs: [] });
    open.push(egress);
    expect(await egress.checkUrl('http://localhost:3000/')).toMatchObject({ kind: 'blocked' });
  });
});

it('loads the client with the first request, and not at a start', () => {
  const script = `
    import { createRequire } from 'node:module';
    import { createEgress } from './server/src/net/safe-fetch.ts';
    const { cache } = createRequire(import.meta.url);
    const isLoaded = () => Object.keys(cache).some((file) => file.includes('/undici/'));
    const egress = createEgress({ allowCidrs: [] });
    const before = isLoaded();
    await egress.send({ method: 'GET', url: 'http://127.0.0.1:1/', headers: {} });
    await egress.close();
    console.log(JSON.stringify([before, isLoaded()]));`;
  const loader = ['--import', './scripts/typescript.mjs', '--input-type=module', '--eval', script];
  const cwd = new URL('../../../', import.meta.url);
  expect(JSON.parse(execFileSync(process.execPath, loader, { cwd, encoding: 'utf8' }))).toEqual([
    false,
    true,
  ]);
});
