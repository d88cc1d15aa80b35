import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../server/test/support/harness.ts';
import { openTerminal, type Terminal, toEnv } from './terminal.ts';

let t: TestApp;
let terminal: Terminal;
beforeAll(async () => {
  t = await createTestApp();
  terminal = await openTerminal(t);
});
afterAll(async () => {
  t.app.server.closeAllConnections();
  await t.close();
});

/** No worker runs by itself here: what is due is done whenever the command waits. */
const asTest = (changes = {}) => ({
  env: toEnv(terminal.origin, t.test.keys),
  sleep: () => t.wired.worker.runDue().then(() => {}),
  ...changes,
});
const folderOf = (name: string) => fileURLToPath(new URL(`fixtures/import/${name}`, import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is compared with what is expected
const parse = ({ out }: { out: string[] }): any => JSON.parse(out.join(''));
const countsOf = (answer: ReturnType<typeof parse>, outcome: string) =>
  Object.fromEntries(
    answer.import.plan.counts
      .filter((one: Record<string, number>) => (one[outcome] ?? 0) > 0)
      .map((one: Record<string, number>) => [one.kind, one[outcome]]),
  );
const count = async (table: 'orders' | 'users' | 'offers' | 'offerKeys' | 'subscriptions') =>
  (await t.service.db.selectFrom(table).select('id').execute()).length;

describe('import', () => {
  const SOURCES = [
    ['stripe', { product: 3, offer: 4, discount: 3, customer: 2, subscription: 3 }, 1],
    ['paddle', { product: 2, offer: 3, discount: 2, customer: 2, subscription: 2 }, 1],
    [
      'lemonsqueezy',
      { product: 2, variant: 1, offer: 2, discount: 1, customer: 2, purchase: 1, key: 1, subscription: 2 },
      0,
    ],
    ['gumroad', { product: 2, variant: 1, offer: 2, customer: 2, purchase: 2, key: 2, subscription: 1 }, 0],
  ] as const;

  it.each(SOURCES)(
    'X41 %s comes by its plan, and a second run changes nothing',
    async (source, news, refused) => {
      const command = `import ${source} ${folderOf(source)} --mode test --json`;
      const planned = await terminal.run(command, asTest());
      expect([planned.exit, planned.err]).toEqual([refused > 0 ? 6 : 0, expect.any(Array)]);
      expect(planned.err.join('\n')).toContain('Stays there: ');
      const answer = parse(planned);
      expect(countsOf(answer, 'new')).toEqual(news);
      expect(answer.import.plan).toMatchObject({ errorCount: refused, priceChangeCount: 0 });
      expect(answer.stays.length).toBeGreaterThan(0);
      if (refused > 0) {
        const lines = (await readFile(join(terminal.home, 'errors.jsonl'), 'utf8')).trim().split('\n');
        expect(lines.map((line) => JSON.parse(line))).toEqual([
          {
            ...{ line: expect.any(Number), kind: 'subscription', ref: expect.any(String) },
            ...{ code: 'past_due', path: 'status', message: expect.any(String) },
          },
        ]);
      }
      const { id, plan } = answer.import;
      const commit = `import commit ${id} --plan ${plan.hash} --json`;
      if (refused > 0) expect((await terminal.run(commit, asTest())).exit).toBe(3);
      const committed = await terminal.run(`${commit} --skip-errors`, asTest());
      expect(committed).toMatchObject({ exit: 0 });
      expect(parse(committed).import).toMatchObject({ status: 'committed', waiting: news.subscription });

      const tables = ['orders', 'users', 'offers', 'offerKeys', 'subscriptions'] as const;
      const before = await Promise.all(tables.map(count));
      const again = parse(await terminal.run(command, asTest()));
      expect([countsOf(again, 'new'), countsOf(again, 'changed'), countsOf(again, 'conflict')]).toEqual([
        {},
        {},
        {},
      ]);
      const second = `import commit ${again.import.id} --plan ${again.import.plan.hash} --skip-errors`;
      expect((await terminal.run(second, asTest())).exit).toBe(0);
      expect(await Promise.all(tables.map(count))).toEqual(before);
      const shown = await terminal.run(`import show ${id} --json --quiet`, asTest());
      expect([shown.exit, shown.err, parse(shown).import.status]).toEqual([0, [], 'committed']);
      // Nobody's card has come: each is refused in a row of its own.
      await writeFile(join(terminal.home, 'names'), `nobody\n\n`);
      const activated = await terminal.run(`import activate ${id} --subscriptions names --json`, asTest());
      expect([activated.exit, parse(activated).results]).toEqual([
        6,
        [expect.objectContaining({ ref: 'nobody', status: 'refused', code: 'not_found' })],
      ]);
    },
  );

  it('X41 ends with 6 where a line was left out that the plan had counted', async () => {
    const file = join(terminal.home, 'late.jsonl');
    const meta = { kind: 'meta', format: 'counterfoil-import', version: 1, source: 'late', currency: 'USD' };
    const price = { kind: 'offer', ref: 'price', productRef: 'late', price: 500, currency: 'USD' };
    const bringIn = async (type: string, more = {}) => {
      const product = { kind: 'product', ref: 'late', name: 'Late', type };
      const lines = [meta, product, { ...price, ...more }];
      await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
      const { id, plan } = parse(
        await terminal.run(`import jsonl ${file} --mode test --json`, asTest()),
      ).import;
      return terminal.run(`import commit ${id} --plan ${plan.hash}`, asTest());
    };
    expect((await bringIn('Game')).exit).toBe(0);
    // A product keeps its type.
    const late = await bringIn('Subscription', { interval: { unit: 'month', count: 1 } });
    expect([late.exit, late.err.join('\n')]).toEqual([6, expect.stringContaining('1 lines that the plan')]);
  });

  it('X42 goes on where the service is away while it plans and brings in', async () => {
    const lines = [
      { kind: 'meta', format: 'counterfoil-import', version: 1, source: 'away', currency: 'EUR' },
      { kind: 'customer', ref: 'ada', email: 'away@example.com' },
    ];
    await writeFile(join(terminal.home, 'away.jsonl'), lines.map((one) => JSON.stringify(one)).join('\n'));
    const away = (awayCount = 4) => ({
      fetch: (async (input, init) => {
        if (init?.method === 'GET' && awayCount-- > 0) throw new TypeError('fetch failed');
        return fetch(input, init);
      }) as typeof fetch,
    });
    const planned = await terminal.run('import jsonl away.jsonl --mode test --json', asTest(away()));
    expect([planned.exit, planned.err.join()]).toEqual([0, expect.stringContaining('Connected again.')]);
    const { id, plan } = parse(planned).import;
    const commit = `import commit ${id} --plan ${plan.hash} --yes --json`;
    expect(parse(await terminal.run(commit, asTest(away()))).import.status).toBe('committed');
  });

  it('X41 a file of lines; another plan, a wrong mode and a wrong path are refused', async () => {
    const file = join(terminal.home, 'shop.jsonl');
    const lines = [
      { kind: 'meta', format: 'counterfoil-import', version: 1, source: 'own' },
      { kind: 'customer', ref: 'c1', email: 'zoe@own.example' },
    ];
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const planned = await terminal.run(`import jsonl ${file} --mode test --json`, asTest());
    expect([planned.exit, countsOf(parse(planned), 'new')]).toEqual([0, { customer: 1 }]);
    const { id } = parse(planned).import;
    expect((await terminal.run(`import commit ${id} --plan ${'0'.repeat(64)}`, asTest())).exit).toBe(3);
    for (const args of [
      `jsonl ${file} --mode live`,
      `jsonl ${file} --mode both`,
      `jsonl ${file}`,
      'jsonl none --mode test',
      'stripe none --mode test',
      `stripe ${folderOf('gumroad')} --mode test`,
    ])
      expect([args, (await terminal.run(`import ${args}`, asTest())).exit]).toEqual([args, 2]);
  });
});

describe('import fetch', () => {
  let server: Server;
  let host: string;
  const asked: string[] = [];
  let answer: (url: URL, request: IncomingMessage) => [number, unknown];
  beforeAll(async () => {
    server = createServer((request: IncomingMessage, response: ServerResponse) => {
      const url = new URL(request.url ?? '/', host);
      asked.push(`${request.method} ${url.pathname}`);
      const [status, body] = answer(url, request);
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** A clock that only waiting moves. */
  const reading = () => {
    const clock = { nowMs: 0, times: [] as number[] };
    const changes = {
      readStdin: async () => 'key_that_reads\n',
      nowMs: () => clock.nowMs,
      sleep: async (ms: number) => {
        clock.nowMs += ms;
      },
      fetch: (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
        clock.times.push(clock.nowMs);
        return fetch(input, init);
      },
    };
    return { clock, changes };
  };

  it('X41 reads every page, five a second at most, by GET alone, and what it wrote converts', async () => {
    const customers = Array.from({ length: 12 }, (_, n) => ({
      ...{ id: `cus_${n}`, object: 'customer', email: `buyer${n}@fetched.example`, created: 1_700_000_000 },
    }));
    let isBusy = true;
    answer = (url, request) => {
      if (request.headers.authorization !== 'Bearer key_that_reads') return [401, {}];
      if (url.pathname === '/v1/account')
        return [200, { id: 'acct_1', object: 'account', default_currency: 'usd' }];
      if (url.pathname !== '/v1/customers') return [200, { object: 'list', data: [], has_more: false }];
      const from = customers.findIndex(({ id }) => id === url.searchParams.get('starting_after')) + 1;
      if (from === 10 && isBusy) {
        isBusy = false;
        return [429, {}];
      }
      return [
        200,
        { object: 'list', data: customers.slice(from, from + 5), has_more: from + 5 < customers.length },
      ];
    };
    const { clock, changes } = reading();
    const said = await terminal.run(`import fetch stripe --out ./stripe --host ${host} --json`, changes);
    expect([said.exit, said.err.join('\n')]).toEqual([0, expect.stringContaining('import stripe')]);
    expect(parse(said).counts).toMatchObject({ accounts: 1, customers: 12, subscriptions: 0 });
    expect(new Set(asked.map((one) => one.split(' ')[0]))).toEqual(new Set(['GET']));
    for (const [place, atMs] of clock.times.entries())
      if (place >= 5) expect(atMs - (clock.times[place - 5] ?? 0)).toBeGreaterThanOrEqual(1_000);
    const folder = join(terminal.home, 'stripe');
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
    expect((await stat(join(folder, 'customers.jsonl'))).mode & 0o777).toBe(0o600);
    const planned = await terminal.run('import stripe stripe --mode test --json', asTest());
    expect([planned.exit, countsOf(parse(planned), 'new')]).toEqual([0, { customer: 12 }]);
    // What is there stays as it is.
    expect((await terminal.run(`import fetch stripe --out ./stripe --host ${host}`, changes)).exit).toBe(2);
  });

  it('goes on where it was stopped, within a list and in those that depend on one', async () => {
    const page = (data: unknown[], next?: string) => ({
      data,
      meta: { pagination: { has_more: next !== undefined, next: `https://elsewhere.example${next}` } },
    });
    const subscription = (n: number) => ({
      ...{ id: `sub_${n}`, customer_id: `ctm_${n}`, address_id: `add_${n}`, business_id: null },
    });
    const whole: Record<string, unknown> = {
      '/customers': page([{ id: 'ctm_1', name: 'Zoë\u2028' }], '/customers?after=1'),
      '/customers?after=1': page([{ id: 'ctm_2' }], '/customers?after=2'),
      '/customers?after=2': page([{ id: 'ctm_3' }]),
      '/subscriptions': page([subscription(1), subscription(2)]),
      '/customers/ctm_1/addresses': page([{ id: 'add_1' }]),
      '/customers/ctm_2/addresses': page([{ id: 'add_2' }]),
    };
    let stopsAt = '';
    answer = (url) => {
      const place = `${url.pathname}${url.searchParams.has('after') ? url.search : ''}`;
      return place === stopsAt ? [400, {}] : [200, whole[place] ?? page([])];
    };
    const folder = join(terminal.home, 'stopped');
    const { changes } = reading();
    const run = () => terminal.run(`import fetch paddle --out ./stopped --host ${host} --json`, changes);
    const stopped: number[] = [];
    for (const place of ['/customers?after=2', '/customers/ctm_2/addresses', '']) {
      asked.length = 0;
      stopsAt = place;
      const said = await run();
      stopped.push(said.exit);
      if (place !== '') {
        // The page that was being written when its process was killed.
        const open = (await readdir(folder)).find((name) => name.endsWith('.jsonl.partial')) ?? 'none';
        await appendFile(join(folder, open), '{"id":"to');
        const early = await terminal.run('import paddle stopped --mode test --json', asTest());
        expect([early.exit, parse(early).error?.message]).toEqual([2, expect.stringContaining('not ended')]);
      } else expect(parse(said).counts).toMatchObject({ customers: 3, subscriptions: 2, addresses: 2 });
    }
    expect(stopped).toEqual([3, 3, 0]);
    expect(asked.slice(0, 2)).toEqual(['GET /customers/ctm_2/addresses', 'GET /transactions']);
    const idsOf = async (list: string) =>
      [...(await readFile(join(folder, `${list}.jsonl`), 'utf8')).matchAll(/^{"id":"(\w+)"/gm)].map(
        ([, id]) => id,
      );
    expect(await idsOf('customers')).toEqual(['ctm_1', 'ctm_2', 'ctm_3']);
    expect(await idsOf('addresses')).toEqual(['add_1', 'add_2']);
    expect((await readdir(folder)).filter((name) => !name.endsWith('.jsonl'))).toEqual([]);
    expect((await run()).exit).toBe(2);
  });

  it('X41 asks Paddle for the places of who subscribes, and Lemon Squeezy by its links, at the host given', async () => {
    answer = (url) => {
      const next = `https://elsewhere.example${url.pathname}?after=1`;
      const isFirst = !url.searchParams.has('after');
      if (url.pathname === '/subscriptions')
        return [
          200,
          { data: [{ id: 'sub_1', customer_id: 'ctm_1', address_id: 'add_1', business_id: null }] },
        ];
      if (url.pathname === '/customers/ctm_1/addresses') return [200, { data: [{ id: 'add_1' }] }];
      if (url.pathname === '/customers')
        return [
          200,
          { data: [{ id: isFirst ? 'ctm_1' : 'ctm_2' }], meta: { pagination: { has_more: isFirst, next } } },
        ];
      if (url.pathname === '/v1/orders')
        return [200, { data: [{ type: 'orders', id: isFirst ? '1' : '2' }], links: isFirst ? { next } : {} }];
      return [200, { data: [], meta: { pagination: { has_more: false } } }];
    };
    const { changes } = reading();
    const paddle = await terminal.run(`import fetch paddle --out ./paddle --host ${host} --json`, changes);
    expect(parse(paddle).counts).toMatchObject({
      customers: 2,
      subscriptions: 1,
      addresses: 1,
      businesses: 0,
    });
    const lemon = await terminal.run(
      `import fetch lemonsqueezy --out ./lemon --host ${host} --json`,
      changes,
    );
    expect(parse(lemon).counts).toMatchObject({ orders: 2, license_keys: 0 });
  });

  it('X41 takes no page for a list that is none, ends where it would go round, and leaves no list that is not whole', async () => {
    const more = (next: unknown) => ({
      data: [{ id: 'ctm_1' }],
      meta: { pagination: { has_more: true, next } },
    });
    const lists = (body: unknown) => (url: URL) => [
      200,
      /customers/.test(url.pathname) ? body : { data: [] },
    ];
    const cases = [
      ['stripe', { ok: true }],
      ['stripe', null],
      ['stripe', { data: [], has_more: true }],
      ['stripe', { data: [{ id: 'cus_1' }], has_more: true }],
      ['paddle', { data: { id: 'ctm_1' } }],
      ['paddle', more(null)],
      ['paddle', more('/no/address')],
      ['paddle', more('https://elsewhere.example/customers?after=1')],
      ['lemonsqueezy', { errors: [] }],
      ['lemonsqueezy', { data: [], links: { next: 'https://elsewhere.example/v1/customers?page=2' } }],
    ] as const;
    for (const [at, [source, body]] of cases.entries()) {
      const asList = lists(body);
      answer = (url) =>
        (url.pathname === '/v1/account' ? [200, { id: 'acct_1' }] : asList(url)) as [number, unknown];
      const { changes } = reading();
      const said = await terminal.run(
        `import fetch ${source} --out ./odd${at} --host ${host} --json`,
        changes,
      );
      expect([at, said.exit, parse(said).error?.code]).toEqual([at, 3, 'fetch_refused']);
      expect(await readdir(join(terminal.home, `odd${at}`))).not.toContain('customers.jsonl');
    }
  });

  it('X41 reads a page again that is no JSON or breaks off, and says in the end that it is none', async () => {
    const bodies = new Map<string, string>();
    const answered = (text: string) =>
      new Response(text, { status: 200, headers: { 'content-type': 'text/html' } });
    const { changes } = reading();
    const fetching = (isLasting: boolean) => ({
      ...changes,
      fetch: async (input: Parameters<typeof fetch>[0]) => {
        const url = String(input);
        const isFirst = !bodies.has(url);
        bodies.set(url, '');
        if (isFirst || isLasting) return answered('<html>Sign in</html>');
        return answered(JSON.stringify(url.endsWith('/v1/account') ? { id: 'acct_1' } : { data: [] }));
      },
    });
    const read = await terminal.run(
      `import fetch stripe --out ./late --host ${host} --json`,
      fetching(false),
    );
    expect([read.exit, parse(read).counts?.customers]).toEqual([0, 0]);
    const never = await terminal.run(
      `import fetch stripe --out ./never --host ${host} --json`,
      fetching(true),
    );
    expect([never.exit, parse(never).error?.code]).toEqual([3, 'fetch_refused']);
  });

  it('X41 says that a key may not read, that a host is not there, and takes no key by a flag', async () => {
    answer = () => [401, {}];
    const { changes } = reading();
    expect((await terminal.run(`import fetch stripe --out ./no --host ${host}`, changes)).exit).toBe(5);
    expect(
      (await terminal.run('import fetch stripe --out ./no --host http://127.0.0.1:9', changes)).exit,
    ).toBe(7);
    answer = () => [302, {}];
    expect((await terminal.run(`import fetch stripe --out ./no --host ${host}`, changes)).exit).toBe(3);
    const nobody = { ...changes, readStdin: async () => '' };
    expect((await terminal.run(`import fetch stripe --out ./no --host ${host}`, nobody)).exit).toBe(2);
    expect((await terminal.run(`import fetch stripe --key x --out ./no --host ${host}`, changes)).exit).toBe(
      2,
    );
  });
});
