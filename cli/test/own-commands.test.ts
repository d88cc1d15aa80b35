import { mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signWebhook } from '../../sdk/src/webhooks.ts';
import { makeKeys } from '../../server/test/support/assistant.ts';
import { buy } from '../../server/test/support/buying.ts';
import { createTestApp, type TestApp } from '../../server/test/support/harness.ts';
import { makeOffer } from '../../server/test/support/make-catalogue.ts';
import type { Io } from '../src/io.ts';
import { pause } from './pause.ts';
import { openTerminal, type Terminal, toEnv } from './terminal.ts';

let t: TestApp;
let terminal: Terminal;
beforeAll(async () => {
  t = await createTestApp({ DATA_DIR: await mkdtemp(join(tmpdir(), 'cli-files-')) });
  terminal = await openTerminal(t);
});
afterAll(async () => {
  t.app.server.closeAllConnections();
  await t.close();
});

const asTest = (changes = {}) => ({ env: toEnv(terminal.origin, t.test.keys), sleep: pause, ...changes });
const asLive = () => ({ env: toEnv(terminal.origin, t.live.keys), sleep: pause });
const count = async (table: 'orders' | 'payments' | 'events' | 'subscriptions') =>
  (await t.service.db.selectFrom(table).select('id').execute()).length;

const TYPES = [
  'payment_success',
  'payment_failed',
  'payment_refunded',
  'subscription_created',
  'subscription_updated',
  'subscription_cancelled',
  'subscription_interval',
];

describe('trigger', () => {
  it.each(TYPES)('X21 %s: a story of real objects ends in the event', async (type) => {
    const [orders, products] = [await count('orders'), await listProducts()];
    const said = await terminal.run(`trigger ${type} --yes --json`, asTest());
    expect(said).toMatchObject({ exit: 0 });
    const made = JSON.parse(said.out.join(''));
    expect(await count('orders')).toBeGreaterThan(orders);
    const order = (await t.test.get(`/v0/orders/${made.order}`)).body.data;
    const about = made.subscription
      ? { subscriptionId: made.subscription }
      : { orderId: String((order.order ?? order).id) };
    const { events } = (await t.test.get('/v0/events/list', { query: { types: type, ...about } })).body.data;
    expect(events[0]).toMatchObject({ type, testMode: true });
    // What was made for it once is used again.
    if (products.length === 2) expect(await listProducts()).toEqual(products);
  });

  it('X21 in the currency that the store sells in already', async () => {
    await makeOffer(t.other, { currency: 'USD' });
    const said = await terminal.run('trigger subscription_updated --json', {
      ...asTest(),
      env: toEnv(terminal.origin, t.other.keys),
    });
    expect(said).toMatchObject({ exit: 0 });
    const { orders } = (await t.other.get('/v0/orders/list')).body.data;
    expect(orders[0]).toMatchObject({ status: 'PAID', currency: 'USD' });
  });

  it('X21 --sample sends the made-up event: no row of what is sold', async () => {
    const tables = ['orders', 'payments', 'subscriptions'] as const;
    const before = await Promise.all(tables.map(count));
    for (const type of TYPES) {
      const said = await terminal.run(`trigger ${type} --sample --json`, asTest());
      expect(JSON.parse(said.out.join('')).event).toMatchObject({ type });
    }
    expect(await Promise.all(tables.map(count))).toEqual(before);
  });

  it('asks before it moves the clock, wants test keys, and knows its types', async () => {
    expect((await terminal.run('trigger subscription_interval', asTest())).exit).toBe(2);
    expect((await terminal.run('trigger payment_success --yes', asLive())).exit).toBe(2);
    expect((await terminal.run('trigger nonsense --yes', asTest())).exit).toBe(2);
  });

  it('answers what a merchant asks every buyer', async () => {
    const field = { key: 'guild', label: 'Guild', type: 'text', required: true };
    const { id } = (await t.test.post('/v0/custom-fields/create', field)).body.data.customField;
    expect((await terminal.run('trigger payment_success', asTest())).exit).toBe(0);
    await t.test.patch(`/v0/custom-fields/${id}/archive`);
  });

  async function listProducts() {
    const { products } = (await t.test.get('/v0/products/list')).body.data;
    return products.map(({ id }: { id: string }) => id);
  }
});

describe('clock', () => {
  it('X22 advance 1year ends as the test clock says, and says what was done', async () => {
    await terminal.run('trigger subscription_created', asTest());
    const said = await terminal.run('clock advance 1year --json', asTest());
    expect(said.exit).toBe(0);
    const { testClock } = JSON.parse(said.out.join(''));
    const { body } = await t.test.get('/v0/test-clock');
    const { offsetMs, advancingTo, upcoming } = body.data.testClock;
    expect(testClock).toMatchObject({ offsetMs, advancingTo, upcoming });
    expect(testClock.offsetMs).toBeGreaterThan(360 * 86_400_000);
    expect(said.err.at(-1)).toMatch(/Done: .*\d+ advance_subscription|Done: \d+/);
    const shown = await terminal.run('clock show --json --quiet', asTest());
    expect(JSON.parse(shown.out.join('')).testClock.offsetMs).toBe(offsetMs);
  });

  it('takes a date, refuses what is none, and asks before it empties the store', async () => {
    const { now } = (await t.test.get('/v0/test-clock')).body.data.testClock;
    const to = new Date(now + 86_400_000).toISOString();
    expect((await terminal.run(`clock advance --to ${to}`, asTest())).exit).toBe(0);
    for (const args of [
      'clock advance',
      'clock advance soon',
      'clock advance --to 2099-02-30',
      `clock advance 1day --to ${to}`,
      'clock reset',
    ])
      expect([args, (await terminal.run(args, asTest())).exit]).toEqual([args, 2]);
    expect((await terminal.run('clock advance 1day --to 1', asTest())).exit).toBe(2);
    expect((await terminal.run('clock reset --yes', asTest())).exit).toBe(0);
    expect((await t.test.get('/v0/orders/list')).body.data.orders).toEqual([]);
  });
});

describe('events tail', () => {
  it('tells what was since, then each as it happens, once', async () => {
    const offer = await makeOffer(t.test);
    await buy(t.test, { offersIds: [offer] });
    const ending = new AbortController();
    const out: string[] = [];
    const running = terminal.run(
      'events tail --types payment_success --since 1h --json',
      asTest({
        signal: ending.signal,
        out: (line: string) => void out.push(line),
        sleep: (ms: number, signal: AbortSignal) => pause(ms / 20, signal),
      }),
    );
    await expect.poll(() => out.length).toBe(1);
    await buy(t.test, { offersIds: [offer] });
    await expect.poll(() => out.length).toBe(2);
    ending.abort();
    expect((await running).exit).toBe(130);
    const ids = out.map((line) => JSON.parse(line).id);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('webhooks verify', () => {
  it('says that a body is valid, or why not', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const body = JSON.stringify({ id: 'e-1', type: 'payment_success' });
    const file = join(terminal.home, 'body.json');
    await writeFile(file, body);
    const timestampS = Math.floor(Date.now() / 1000);
    const headers = await signWebhook({ body, secret, id: 'e-1', timestampS });
    const lines = Object.entries(headers)
      .map(([name, value]) => `'${name}: ${value}'`)
      .join(' ');
    const verify = (given: string, changes = {}) =>
      terminal.run(`webhooks verify ${given} --header ${lines} --json`, { env: {}, ...changes });
    expect(await verify(`${file} --secret ${secret}`)).toMatchObject({
      exit: 0,
      out: ['{"valid":true,"id":"e-1","type":"payment_success"}'],
    });
    const stdin = { readStdin: async () => `${body} `, env: { COUNTERFOIL_WEBHOOK_SECRET: secret } };
    const other = await verify('-', stdin);
    expect([other.exit, JSON.parse(other.out[0] ?? '').error.code]).toEqual([6, 'no_match']);
    const late = await verify(`${file} --secret ${secret}`, { nowMs: () => Date.now() + 301_000 });
    expect([late.exit, JSON.parse(late.out[0] ?? '').error.code]).toEqual([6, 'timestamp']);
    expect((await verify(file)).exit).toBe(2);
  });
});

describe('open', () => {
  it('prints the address, and opens it where somebody sits', async () => {
    const opened: string[] = [];
    const sitting = { isTable: true, open: (url: string) => void opened.push(url) };
    const { workspaceId } = t.test.scope;
    const offer = await makeOffer(t.test);
    const { number } = (await buy(t.test, { offersIds: [offer] })).body.data.order;
    const cases = [
      ['dashboard', `/dashboard/${workspaceId}/test`],
      ['docs', '/docs'],
      [`checkout ${offer}`, `/checkout/${offer}`],
      [`order ${number}`, `/dashboard/${workspaceId}/test/orders/${number}`],
    ];
    for (const [args, path] of cases) {
      const { out } = await terminal.run(`open ${args}`, asTest(sitting));
      expect(out).toEqual([`${terminal.origin}${path}`]);
    }
    expect(opened).toHaveLength(4);
    expect((await terminal.run('open order', asTest())).exit).toBe(2);
    expect((await fetch(`${terminal.origin}/checkout/${offer}`)).status).toBe(200);
    expect((await fetch(`${terminal.origin}/docs`)).status).toBe(200);
  });
});

describe('export', () => {
  /** No worker runs by itself here: what is due is done whenever the command waits. */
  const working = { sleep: () => t.wired.worker.runDue().then(() => {}) };

  it('writes a user to a file of its owner alone, and overwrites none', async () => {
    await buy(t.test, { offersIds: [await makeOffer(t.test)] });
    const { users } = (await t.test.get('/v0/users/list')).body.data;
    const file = join(terminal.home, 'user.tar.gz');
    const said = await terminal.run(`users export ${users[0].id} --out ${file} --json`, asTest(working));
    expect(said).toMatchObject({ exit: 0 });
    await expectArchive(file, JSON.parse(said.out.join('')).sizeBytes);
    expect((await terminal.run(`users export ${users[0].id} --out ${file}`, asTest())).exit).toBe(2);
    const nobody = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f';
    expect((await terminal.run(`users export ${nobody} --out ${file}.2`, asTest())).exit).toBe(4);
  });

  it('asks for no export that could not be written', async () => {
    const exports = async () => (await t.test.get('/v0/exports/list')).body.data.exports.length;
    const before = await exports();
    const said = await terminal.run(
      `export --out ${join(terminal.home, 'none', 'shop.tar.gz')}`,
      asTest(working),
    );
    expect([said.exit, said.err.join('')]).toEqual([2, expect.stringContaining('cannot be written')]);
    expect(await exports()).toBe(before);
  });

  it('goes on where the service is away while the export is made', async () => {
    let awayCount = 4;
    const fetching: typeof fetch = async (input, init) => {
      const isLook = String(input).includes('/v0/exports/') && init?.method === 'GET';
      if (isLook && awayCount-- > 0) throw new TypeError('fetch failed');
      return fetch(input, init);
    };
    const words = `export --out ${join(terminal.home, 'waited.tar.gz')} --json`;
    const said = await terminal.run(words, asTest({ ...working, fetch: fetching }));
    expect([said.exit, said.err.join()]).toEqual([0, expect.stringContaining('Connected again.')]);
  });

  it('says that its disk is full, asks once, and leaves no half of the file', async () => {
    const file = join(terminal.home, 'full.tar.gz');
    let asked = 0;
    const fetching: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (answer.headers.get('content-type')?.includes('json')) return answer;
      asked += 1;
      // A device that takes no byte.
      await symlink('/dev/full', `${file}.partial`);
      return answer;
    };
    const said = await terminal.run(`export --out ${file}`, asTest({ ...working, fetch: fetching }));
    expect([said.exit, said.err.join('')]).toEqual([3, expect.stringContaining('There is no room')]);
    expect(asked).toBe(1);
    expect((await readdir(terminal.home)).filter((name) => name.startsWith('full'))).toEqual([]);
  });

  it('begins no export that the pair may not follow, and names the scope', async () => {
    const asked = terminal.asked.length;
    const keys = await makeKeys(t, t.test, ['exports:write']);
    const env = toEnv(terminal.origin, keys);
    const said = await terminal.run(`export --out ${join(terminal.home, 'half.tar.gz')}`, asTest({ env }));
    expect([said.exit, said.err.join('')]).toEqual([5, expect.stringContaining('exports:read')]);
    expect(terminal.asked.slice(asked)).toEqual([`GET ${terminal.origin}/v0/whoami`]);
  });

  it('writes a store, in live where the pair names that right', async () => {
    const file = join(terminal.home, 'shop.tar.gz');
    const refused = await terminal.run(`export --out ${file} --yes`, asLive());
    expect(refused.exit).toBe(5);
    const said = await terminal.run(`export --out ${file} --json`, asTest(working));
    expect(said).toMatchObject({ exit: 0 });
    await expectArchive(file, JSON.parse(said.out.join('')).sizeBytes);
  });

  it('X48 writes secrets for recipients alone, who are named', async () => {
    const file = join(terminal.home, 'sealed.tar.gz.age');
    const open = await terminal.run(`export --out ${file} --with-secrets`, asTest(working));
    expect(open).toMatchObject({ exit: 2 });
    expect(open.err.join('')).toContain('--with-secrets needs --recipient');
    const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
    const recipient = await identityToRecipient(await generateX25519Identity());
    const said = await terminal.run(
      `export --out ${file} --with-secrets --recipient ${recipient} --json`,
      asTest(working),
    );
    expect(said).toMatchObject({ exit: 0 });
    expect((await readFile(file)).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    const wrong = await terminal.run(`export --out ${file}.2 --recipient age1x`, asTest(working));
    expect([wrong.exit, wrong.err.join('')]).toEqual([3, expect.stringContaining('recipients.0')]);
  });

  it('X48 writes secrets for whoever knows the passphrase, which the service is not told', async () => {
    const file = join(terminal.home, 'locked.tar.gz.age');
    const { Decrypter } = await import('age-encryption');
    const open = async (passphrase: string) => {
      const decrypter = new Decrypter();
      decrypter.addPassphrase(passphrase);
      return decrypter.decrypt(await readFile(file));
    };
    const bodies: string[] = [];
    const typed = {
      ...working,
      readStdin: async () => 'horse staple\nmore\n',
      fetch: (...[input, init]: Parameters<typeof fetch>) => {
        bodies.push(String(init?.body));
        return fetch(input, init);
      },
    };
    const command = `export --out ${file} --with-secrets --passphrase`;
    const said = await terminal.run(`${command} --json`, asTest(typed));
    expect(said).toMatchObject({ exit: 0, err: [] });
    const { size, mode } = await stat(file);
    expect([JSON.parse(said.out.join('')).sizeBytes, mode & 0o777]).toEqual([size, 0o600]);
    expect([...(await open('horse staple')).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
    await expect(open('horse')).rejects.toThrow();
    expect(bodies.join()).not.toContain('horse');
    expect((await readdir(terminal.home)).filter((name) => name.includes('.partial'))).toEqual([]);
    const refused = async (words: string, changes: Partial<Io>) =>
      (await terminal.run(words, asTest({ ...working, ...changes }))).exit;
    const elsewhere = command.replace(file, `${file}.2`);
    expect(await refused(elsewhere, { readStdin: async () => '' })).toBe(2);
    expect(await refused(`${elsewhere} --recipient age1x`, {})).toBe(2);
    const answers = ['horse', 'house'];
    expect(await refused(elsewhere, { isAsking: true, askText: async () => answers.shift() ?? '' })).toBe(2);
  });

  async function expectArchive(file: string, sizeBytes: number) {
    const { size, mode } = await stat(file);
    expect([size, mode & 0o777]).toEqual([sizeBytes, 0o600]);
    expect([...(await readFile(file)).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  }
});

describe('files upload', () => {
  it('uploads bytes with their name and type', async () => {
    const file = join(terminal.home, 'manual.pdf');
    await writeFile(file, '%PDF-1.4 a manual');
    const said = await terminal.run(`files upload ${file} --json`, asTest());
    expect(said).toMatchObject({ exit: 0 });
    expect(JSON.parse(said.out.join('')).file).toMatchObject({ fileName: 'manual.pdf', purpose: 'download' });
    expect((await terminal.run('files upload none.pdf', asTest())).exit).toBe(2);
    for (const words of [
      `files upload ${terminal.home}`,
      'files upload /dev/null',
      'import jsonl /dev/null --mode test',
    ])
      expect(await terminal.run(words, asTest())).toMatchObject({
        exit: 2,
        err: [expect.stringContaining('is no file.')],
      });
  });
});

describe('--quiet', () => {
  it('leaves data and failures', async () => {
    const said = await terminal.run('clock advance 1hour --quiet --json', asTest());
    expect([said.exit, said.err, said.out.length]).toEqual([0, [], 1]);
    const failed = await terminal.run('orders get 018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f --quiet', asTest());
    expect([failed.exit, failed.err.length]).toEqual([4, 1]);
  });
});
