import { networkInterfaces } from 'node:os';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createEgress } from '../../src/net/safe-fetch.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { type Canary, openCanary } from './canary.ts';
import { type DnsServer, openDnsServer, type Script } from './dns-server.ts';

const PUBLIC = '93.184.216.34';
const PUBLIC_TOO = '8.8.4.4';
const PUBLIC_6 = '2606:4700:4700::1111';
const METADATA = '169.254.169.254';
const PRIVATE_6 = 'fd00:ec2::254';

let t: TestApp;
let dns: DnsServer;
let canary: Canary;
beforeAll(async () => {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address));
  if (!process.env.COUNTERFOIL_NAMESPACE || !addresses.includes(METADATA)) {
    throw new Error('these tests run in a network namespace of their own: npm run test:net');
  }
  dns = await openDnsServer('127.0.0.53');
  canary = await openCanary(80);
  t = await createTestApp();
});
afterAll(async () => {
  await t.close();
  await canary.close();
  await dns.close();
});
afterEach(async () => {
  canary.cut();
  canary.hits.length = 0;
  canary.answers.length = 0;
  dns.names.clear();
  dns.asked.length = 0;
  for (const table of ['webhookDeliveries', 'webhooks', 'events', 'dueWork'] as const) {
    await t.service.db.deleteFrom(table).execute();
  }
});

const name = (host: string, ...script: Script) => dns.names.set(host, script);
const create = (url: string) => t.test.post('/v0/webhooks/create', { url, events: ['payment_success'] });
const idOf = async (url: string): Promise<string> => {
  const answer = await create(url);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.webhook.id;
};
/** Sends a test event and makes the one attempt that is due. */
async function deliver(id: string) {
  await t.test.post('/v0/webhooks/sendTestEvent', { webhookId: id });
  await t.wired.worker.runDue();
  return (await t.test.get(`/v0/webhooks/${id}/attempts`)).body.data.attempts[0];
}
const BLOCKED = {
  statusCode: null,
  error: 'blocked',
  errorDetail: expect.stringMatching(/public|possible|URL/),
};

/** Ways to write an address that is not public, or to hide one. */
const CLASSES: Array<[string, string]> = [
  ['loopback', 'http://127.0.0.1/'],
  ['another loopback', 'http://127.8.9.10/'],
  ['IPv6 loopback', 'http://[::1]/'],
  ['unspecified', 'http://0.0.0.0/'],
  ['unspecified IPv6', 'http://[::]/'],
  ['private', 'http://10.1.2.3/'],
  ['private of a home', 'http://192.168.0.10/'],
  ['carrier-grade NAT', 'http://100.64.0.1/'],
  ['cloud metadata', 'http://169.254.169.254/latest/meta-data/'],
  ['a cloud address that looks public', 'http://168.63.129.16/'],
  ['unique local', 'http://[fd00:ec2::254]/'],
  ['decimal', 'http://2130706433/'],
  ['hexadecimal', 'http://0x7f000001/'],
  ['octal', 'http://0177.0.0.1/'],
  ['short', 'http://127.1/'],
  ['IPv4-mapped', 'http://[::ffff:169.254.169.254]/'],
  ['IPv4-mapped in hex', 'http://[::ffff:a9fe:a9fe]/'],
  ['percent-encoded', 'http://%31%32%37.0.0.1/'],
  ['full-width digits', 'http://１２７.0.0.1/'],
  ['localhost', 'http://localhost/'],
  ['a name below localhost', 'http://shop.localhost/'],
  ['a name that leads to loopback', 'http://inside.example/'],
  ['a public and a private record', 'http://mixed.example/'],
  ['a public A and a private AAAA', 'http://mixed6.example/'],
  ['an alias of a private name', 'http://alias.example/'],
  ['user info', `http://me:secret@${PUBLIC}/`],
  ['a host hidden behind user info', 'http://public.example@127.0.0.1/'],
  ['a file', 'file:///etc/passwd'],
  ['ftp', `ftp://${PUBLIC}/`],
  ['gopher', 'gopher://127.0.0.1:80/_GET'],
];

function nameAll(): void {
  name('public.example', { a: [PUBLIC] });
  name('inside.example', { a: ['127.0.0.1'] });
  name('mixed.example', { a: [PUBLIC, METADATA] });
  name('mixed6.example', { a: [PUBLIC], aaaa: [PRIVATE_6] });
  name('alias.example', { cname: 'inside.example', a: ['127.0.0.1'] });
}

describe('without a guard', () => {
  it.each([
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://169.254.169.254/', METADATA],
    ['http://inside.example/', '127.0.0.1'],
    [`http://[${PRIVATE_6}]/`, PRIVATE_6],
  ])('the canary would answer at %s', async (url, address) => {
    nameAll();
    const egress = createEgress({ allowCidrs: ['0.0.0.0/0', '::/0'] });
    const result = await egress.send({ method: 'POST', url, headers: {}, body: '{}' });
    await egress.close();
    expect(result).toMatchObject({ kind: 'answered', statusCode: 200, address });
    expect(canary.hits).toEqual([address]);
  });
});

describe('the guard', () => {
  it.each(CLASSES)(
    'T30 refuses %s at create and update, and blocks it at delivery: no canary is met',
    async (_name, url) => {
      nameAll();
      const id = await idOf('http://public.example/');
      for (const answer of [await create(url), await t.test.patch(`/v0/webhooks/${id}/update`, { url })]) {
        expect([answer.status, answer.body.error.code]).toEqual([400, 'webhook_url_blocked']);
      }
      await t.service.db.updateTable('webhooks').set({ url }).where('id', '=', id).execute();
      expect(await deliver(id)).toMatchObject(BLOCKED);
      expect(canary.hits).toEqual([]);
    },
  );

  it.each([
    ['an address', `http://${PUBLIC}/`, PUBLIC],
    ['an IPv6 address', `http://[${PUBLIC_6}]/`, PUBLIC_6],
    ['a name', 'http://public.example/', PUBLIC],
    ['an alias', 'http://alias.public.example/', PUBLIC_TOO],
  ])(
    'lets %s through that is public, looks it up once, and keeps where it went',
    async (_name, url, address) => {
      name('public.example', { a: [PUBLIC] });
      name('alias.public.example', { cname: 'other.example', a: [PUBLIC_TOO] });
      const id = await idOf(url);
      dns.asked.length = 0;
      expect(await deliver(id)).toMatchObject({ statusCode: 200 });
      expect(canary.hits).toEqual([address]);
      expect(dns.asked.filter((question) => question.startsWith('A ')).length).toBeLessThanOrEqual(1);
      const [row] = await t.service.db.selectFrom('webhookAttempts').select('address').execute();
      expect(row?.address).toBe(address);
    },
  );

  it('blocks a name that turns to a private address after it was checked', async () => {
    name('rebind.example', { a: [PUBLIC] }, { a: [METADATA] });
    const id = await idOf('http://rebind.example/');
    // Refused, and nothing said of where it led.
    expect(await deliver(id)).toMatchObject({
      ...BLOCKED,
      errorDetail: 'it leads to an address that is not public',
    });
    expect(canary.hits).toEqual([]);
  });

  it('never meets a canary while a name turns with each question, and at a time to live of 0', async () => {
    const turns = Array.from({ length: 60 }, (_, n) => ({ a: [n % 2 ? METADATA : PUBLIC] }));
    name('turns.example', { a: [PUBLIC] }, ...turns);
    const id = await idOf('http://turns.example/');
    const outcomes = new Set<string>();
    for (let n = 0; n < 20; n += 1) {
      const { statusCode, error } = await deliver(id);
      outcomes.add(statusCode === 200 ? 'sent' : error);
      canary.cut();
    }
    expect(new Set(canary.hits)).toEqual(new Set([PUBLIC]));
    expect([...outcomes].sort()).toEqual(['blocked', 'sent']);
  });

  it('keeps to the address of a connection that is kept alive, and checks the next one', async () => {
    name('flips.example', { a: [PUBLIC] });
    const id = await idOf('http://flips.example/');
    expect(await deliver(id)).toMatchObject({ statusCode: 200 });
    name('flips.example', { a: ['127.0.0.1'] });
    const second = await deliver(id);
    expect(second.statusCode === 200 || second.error === 'blocked').toBe(true);
    canary.cut();
    // What was cut is noticed by the next request at the latest.
    await deliver(id);
    expect(await deliver(id)).toMatchObject(BLOCKED);
    expect(new Set(canary.hits)).toEqual(new Set([PUBLIC]));
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %i to the metadata', async (status) => {
    const id = await idOf(`http://${PUBLIC}/`);
    canary.answers.push((response) => {
      response.writeHead(status, { location: `http://${METADATA}/` }).end();
    });
    expect(await deliver(id)).toMatchObject({ statusCode: status });
    expect(canary.hits).toEqual([PUBLIC]);
  });

  it('asks no proxy', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    for (const one of names) process.env[one] = 'http://127.0.0.1:80';
    const id = await idOf(`http://${PUBLIC}/`);
    expect(await deliver(id)).toMatchObject({ statusCode: 200 });
    for (const one of names) delete process.env[one];
    expect(canary.hits).toEqual([PUBLIC]);
  });

  it('has kept no attempt that reached an address of a blocked range', async () => {
    const rows = await sql<{ address: string }>`select address from webhook_attempts where address is not null
      and address not in (${PUBLIC}, ${PUBLIC_TOO}, ${PUBLIC_6}) and error is distinct from 'blocked'`.execute(
      t.service.db,
    );
    expect(rows.rows).toEqual([]);
  });
});
