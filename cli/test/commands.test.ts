import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, makeAccount, openSignedIn } from '../../server/test/support/browser.ts';
import { buy } from '../../server/test/support/buying.ts';
import { createTestApp, type TestApp } from '../../server/test/support/harness.ts';
import { makeOffer } from '../../server/test/support/make-catalogue.ts';
import { readDescribed } from '../described.ts';
import { listOperations } from '../src/operations.ts';
import { openTerminal, type Terminal, toEnv } from './terminal.ts';

let t: TestApp;
let terminal: Terminal;
let owner: Browser;
beforeAll(async () => {
  t = await createTestApp();
  terminal = await openTerminal(t);
  const { workspaceId } = t.test.scope;
  await t.service.db.deleteFrom('memberships').where('workspaceId', '=', workspaceId).execute();
  await makeAccount(t, { email: 'owner@cli.example', member: { workspaceId, role: 'owner' } });
  owner = await openSignedIn(t, 'owner@cli.example');
});
afterAll(() => t.close());

const asTest = () => ({ env: toEnv(terminal.origin, t.test.keys) });
const asLive = () => ({ env: toEnv(terminal.origin, t.live.keys) });
const configPath = () => join(terminal.home, '.config', 'counterfoil', 'config.json');

describe('every operation', () => {
  it('of the description that a key pair may call, by JSON, is a command with its help', async () => {
    const operations = listOperations(readDescribed());
    expect(operations.length).toBeGreaterThan(100);
    const wrong: string[] = [];
    for (const { noun, verb, summary } of operations) {
      const { exit, out } = await terminal.run(`${noun} ${verb} --help`);
      // Long summaries are wrapped.
      const told = out.join(' ').replace(/\s+/g, ' ');
      if (exit !== 0 || !told.includes(summary)) wrong.push(`${noun} ${verb}: ${exit} ${told.slice(0, 100)}`);
    }
    expect(wrong).toEqual([]);
  });

  it('X15 takes --json and --quiet before it too, and says by JSON where one is missing', async () => {
    for (const args of ['--json', 'orders --json', '--json orders', 'profiles --quiet --json']) {
      const { exit, out } = await terminal.run(args);
      const { error } = JSON.parse(out.join(''));
      expect([args, exit, error.code]).toEqual([args, 2, 'usage']);
      expect(error.message).toMatch(/^A command is missing: counterfoil (\w+ )?--help lists them\.$/);
    }
    expect((await terminal.run('--json orders nothing')).exit).toBe(2);
    const before = await terminal.run('--json --quiet whoami', asTest());
    expect([before.exit, JSON.parse(before.out.join('')).mode]).toEqual([0, 'test']);
  });

  it('takes ids, flags, and a body that the flags are laid over', async () => {
    const made = await terminal.run(
      `users create --email ada@example.com --data '{"username":"Ada"}' --json`,
      asTest(),
    );
    expect(made).toMatchObject({ exit: 0, err: [] });
    const { user } = JSON.parse(made.out.join(''));
    expect(user).toMatchObject({ username: 'Ada', email: 'ada@example.com' });
    const got = await terminal.run(`users get ${user.id} --json`, asTest());
    expect(JSON.parse(got.out.join('')).user.id).toBe(user.id);
  });

  it('lists as a table by the columns, as JSON Lines, and all pages of it', async () => {
    const offer = await makeOffer(t.test);
    for (let n = 0; n < 3; n += 1) await buy(t.test, { offersIds: [offer] });
    const table = await terminal.run('orders list --statuses PAID', asTest());
    expect(table.out[0]).toMatch(/^NUMBER +STATUS +TYPE/);
    expect(table.out).toHaveLength(4);
    const lines = await terminal.run('orders list --take 1 --all --json', asTest());
    expect(new Set(lines.out.map((line) => JSON.parse(line).number)).size).toBe(3);
    expect((await terminal.run('orders list --max 2 --json', asTest())).out).toHaveLength(2);
    const listed = await terminal.run('orders list --statuses PAID --statuses FAILED --json', asTest());
    expect(listed.out).toEqual((await terminal.run('orders list --json', asTest())).out);
  });

  it('X15 --json parses on success and on failure, with the exit code of each', async () => {
    const dead = { env: { ...asTest().env, COUNTERFOIL_BASE_URL: 'http://127.0.0.1:9' } };
    const wrong = { env: { ...asTest().env, COUNTERFOIL_SECRET_KEY: t.live.keys.secretKey } };
    const half = { env: { ...asTest().env, COUNTERFOIL_SECRET_KEY: '' } };
    const cases = [
      ['whoami', asTest(), 0],
      ['orders refund', asTest(), 2],
      ['orders get list', asTest(), 2],
      ['orders get ..', asTest(), 2],
      ['orders list --take x', asTest(), 2],
      ['orders list --nonsense', asTest(), 2],
      ['products create --name X', asTest(), 3],
      ['orders get 018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f', asTest(), 4],
      ['products create --data null --name X', asTest(), 2],
      ['products create --data [] --name X', asTest(), 2],
      ['products create --data @nowhere.json', asTest(), 2],
      [`users create --data '{"billingDetails":"x"}' --billing-details.country-code DE`, asTest(), 2],
      ['backup --out x', asTest(), 2],
      ['whoami', wrong, 5],
      ['whoami', {}, 5],
      ['whoami', half, 5],
      ['whoami', dead, 7],
    ] as const;
    for (const [args, changes, exit] of cases) {
      const said = await terminal.run(`${args} --json`, changes);
      expect([args, said.exit]).toEqual([args, exit]);
      const answer = JSON.parse(said.out.join('\n'));
      // What was wrong with the words is told once.
      if (exit === 2) expect([args, said.err]).toEqual([args, []]);
      if (exit === 0) expect(answer.mode).toBe('test');
      else expect(answer.error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    }
  });

  it('X15 is not content with what is no answer of the service, and waits as long as a proxy says', async () => {
    const waits: number[] = [];
    const answers = (...responses: Response[]) => ({
      ...asTest(),
      fetch: async () => responses.shift() ?? new Response('<p>Hello</p>'),
      sleep: async (ms: number) => void waits.push(ms),
    });
    const said = await terminal.run('whoami --json', answers());
    expect([said.exit, JSON.parse(said.out.join()).error.code]).toEqual([7, 'unreachable']);
    waits.length = 0;
    const soon = new Date(Date.now() + 30_000).toUTCString();
    const busy = (after: string) => new Response('', { status: 503, headers: { 'retry-after': after } });
    const done = new Response(JSON.stringify({ status: 'success', data: { mode: 'test' } }));
    expect((await terminal.run('whoami', answers(busy(soon), busy('2'), done.clone()))).exit).toBe(0);
    expect(waits).toEqual([expect.closeTo(30_000, -4), 2_000]);
    waits.length = 0;
    const moved =
      '{"status":"error","error":{"code":"clock_advancing","message":"The test clock is being advanced."}}';
    const advancing = new Response(moved, { status: 409, headers: { 'retry-after': '1' } });
    expect((await terminal.run('whoami', answers(advancing, done.clone()))).exit).toBe(0);
    expect(waits).toEqual([1_000]);
    const late = new Date(Date.now() + 3_600_000).toUTCString();
    expect((await terminal.run('whoami', answers(busy(late), done))).exit).toBe(7);
  });

  it('X15 takes no address that no request can be sent to', async () => {
    for (const url of [
      'ftp://a.example',
      'http://ada:pw@a.example',
      'http://a.example?',
      'http://a.example/#b',
    ])
      expect([url, (await terminal.run(`whoami --base-url ${url}`, asTest())).exit]).toEqual([url, 2]);
  });

  it('X15 says where a service sends on to, and sends its keys nowhere else', async () => {
    const location = 'https://pay.example/v0/whoami?a=b';
    const fetch = async () => new Response(null, { status: 301, headers: { location } });
    for (const words of ['whoami', 'doctor', `login --base-url ${terminal.origin}`]) {
      const { exit, out, err } = await terminal.run(words, { ...asTest(), fetch });
      expect([words, exit]).toEqual([words, words === 'doctor' ? 6 : 7]);
      expect([...out, ...err].join()).toContain(`${terminal.origin} sends on to https://pay.example`);
    }
  });

  it('X15 says in which package a command of operators is, and does nothing', async () => {
    const before = terminal.asked.length;
    const words = [
      'start',
      'migrate',
      'keys',
      'accounts',
      'invariants',
      'backup',
      'restore',
      'upgrade-file',
      'resume',
    ];
    for (const word of words) {
      const { exit, out, err } = await terminal.run(`${word} --yes`, asTest());
      const told = expect.stringContaining(`npx counterfoil ${word}`);
      expect([word, exit, out, err.join()]).toEqual([word, 2, [], told]);
    }
    expect(terminal.asked).toHaveLength(before);
  });

  it('X15 says its version, which is no flag of the commands', async () => {
    for (const flag of ['--version', '-V'])
      expect(await terminal.run(flag, {})).toMatchObject({ exit: 0, out: ['0.1.0'] });
    expect((await terminal.run('--version --json', {})).out).toEqual(['{"version":"0.1.0"}']);
    expect((await terminal.run('orders list --version 1', asTest())).exit).toBe(2);
  });

  it('X16 a live write without a terminal and without --yes exits 2, and sends nothing', async () => {
    const before = terminal.asked.length;
    const refused = await terminal.run('users create --email eve@example.com', asLive());
    expect(refused).toMatchObject({ exit: 2, out: [] });
    expect(terminal.asked).toHaveLength(before);
    const named = await terminal.run('users create --email eve@example.com', {
      ...asLive(),
      isAsking: true,
      askText: async () => 'Second',
    });
    expect(named.exit).toBe(130);
    expect((await t.live.get('/v0/users/list')).body.data.users).toEqual([]);
    expect((await terminal.run('users create --email eve@example.com --yes', asLive())).exit).toBe(0);
    expect((await t.live.get('/v0/users/list')).body.data.users).toHaveLength(1);
    expect((await terminal.run('test-clock reset --confirm true', asTest())).exit).toBe(2);
  });

  it('X25 sends nothing but to the base URL', () => {
    const others = terminal.asked.filter(
      (one) => !one.includes(terminal.origin) && !one.includes('127.0.0.1:9/'),
    );
    expect(others).toEqual([]);
    expect(terminal.asked.length).toBeGreaterThan(10);
  });
});

describe('login', () => {
  /** What a person does meanwhile: once the code is shown, it is allowed or denied. */
  const deciding = (verb: 'allow' | 'deny') => {
    let isDecided = false;
    return async (line: string) => {
      const code = /^ +([A-Z]{4}-[A-Z]{4})$/.exec(line)?.[1];
      if (!code || isDecided) return;
      isDecided = true;
      const { workspaceId } = t.test.scope;
      const body = verb === 'allow' ? { workspaceId, mode: 'test' } : {};
      await owner.request('POST', `/v0/device-requests/${code}/${verb}`, { body });
    };
  };

  const signIn = async (verb: 'allow' | 'deny') => {
    const decide = deciding(verb);
    const doing: Array<Promise<void>> = [];
    return terminal.run(`login --base-url ${terminal.origin}`, {
      err: (line) => void doing.push(decide(line)),
      sleep: async () => void (await Promise.all(doing)),
    });
  };

  it('X17 keeps a pair that was allowed, for its owner alone, and revokes it with logout', async () => {
    expect((await signIn('allow')).exit).toBe(0);
    expect((await stat(configPath())).mode & 0o777).toBe(0o600);
    const who = await terminal.run('whoami --json');
    expect(JSON.parse(who.out.join(''))).toMatchObject({ mode: 'test', key: { name: 'CLI on ada-laptop' } });
    const listed = await terminal.run('profiles list');
    const { publicKey, secretKey } = JSON.parse(await readFile(configPath(), 'utf8')).profiles.default;
    expect(listed.out.join()).not.toContain(secretKey);
    expect((await terminal.run('logout')).exit).toBe(0);
    expect(JSON.parse(await readFile(configPath(), 'utf8')).profiles).toEqual({});
    const row = await t.service.db
      .selectFrom('apiKeys')
      .select('revokedAt')
      .where('publicKey', '=', publicKey)
      .executeTakeFirst();
    expect(row?.revokedAt).toEqual(expect.any(Number));
    expect((await terminal.run('whoami')).exit).toBe(5);
  });

  it('X17 goes on asking a service that is away for a while, and less often', async () => {
    const doing: Array<Promise<void>> = [];
    const decide = deciding('allow');
    const pauses: number[] = [];
    const away = [
      () => Promise.reject(new TypeError('fetch failed')),
      async () => new Response('Bad gateway', { status: 502 }),
      async () =>
        Response.json({ status: 'error', error: { code: 'store_down', message: '' } }, { status: 503 }),
    ];
    const said = await terminal.run(`login --base-url ${terminal.origin}`, {
      err: (line) => void doing.push(decide(line)),
      sleep: async (ms) => {
        pauses.push(ms);
        await Promise.all(doing);
      },
      fetch: (input, init) =>
        String(input).endsWith('/oauth/token') && away.length > 0
          ? (away.shift()?.() ?? fetch(input, init))
          : fetch(input, init),
    });
    expect(said.exit).toBe(0);
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000]);
    expect((await terminal.run('logout')).exit).toBe(0);
  });

  it('X17 ends where the service does not come back before the code is over', async () => {
    let nowMs = Date.now();
    const said = await terminal.run(`login --base-url ${terminal.origin}`, {
      nowMs: () => nowMs,
      sleep: async (ms) => {
        nowMs += ms;
      },
      fetch: (input, init) =>
        String(input).endsWith('/oauth/token')
          ? Promise.reject(new TypeError('fetch failed'))
          : fetch(input, init),
    });
    expect(said.exit).toBe(7);
  });

  it('X17 keeps nothing of one that was denied', async () => {
    expect(await signIn('deny')).toMatchObject({ exit: 5 });
    expect(JSON.parse(await readFile(configPath(), 'utf8')).profiles).toEqual({});
  });

  it('takes no other profile’s keys because those in use are gone', async () => {
    for (const [name, { publicKey, secretKey }] of [
      ['shop', t.live.keys],
      ['trial', t.test.keys],
    ] as const) {
      const readStdin = async () => `${publicKey}\n${secretKey}\n`;
      await terminal.run(`login --keys --base-url ${terminal.origin} --profile ${name}`, { readStdin });
    }
    expect((await terminal.run('logout')).exit).toBe(0);
    const asked = await terminal.run('whoami');
    expect([asked.exit, asked.err.join()]).toEqual([5, expect.stringContaining('profiles use shop')]);
    expect((await terminal.run('logout')).exit).toBe(2);
    expect((await terminal.run('profiles use shop')).exit).toBe(0);
    expect((await terminal.run('whoami')).exit).toBe(0);
    // The environment goes before the profile in use, and after the one that a flag names.
    const elsewhere = { env: { COUNTERFOIL_BASE_URL: 'http://127.0.0.1:9' } };
    expect((await terminal.run('whoami', elsewhere)).exit).toBe(7);
    expect((await terminal.run('whoami --profile shop', elsewhere)).exit).toBe(0);
    expect((await terminal.run(`whoami --base-url ${terminal.origin}`, elsewhere)).exit).toBe(0);
    expect((await terminal.run('profiles remove shop --yes')).exit).toBe(0);
  });

  it('X17 takes keys from stdin, never by a flag', async () => {
    const { publicKey, secretKey } = t.test.keys;
    const readStdin = async () => `${publicKey}\n${secretKey}\n`;
    const said = await terminal.run(`login --keys --base-url ${terminal.origin} --profile shop`, {
      readStdin,
    });
    expect([said.exit, said.out, said.err.join().includes(secretKey)]).toEqual([0, [], false]);
    expect((await terminal.run('whoami --profile shop')).exit).toBe(0);
    expect((await terminal.run('profiles remove shop')).exit).toBe(2);
    expect((await terminal.run('profiles remove shop --yes')).exit).toBe(0);
    expect((await terminal.run('whoami --profile shop')).exit).toBe(2);
  });

  it('tells of files that were edited into something else in one line', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'cli-beside-'));
    await mkdir(join(cwd, '.data'));
    for (const text of ['oops', '{}', 'null', '{"baseUrl":"http://localhost:3000","test":{"publicKey":5}}']) {
      await writeFile(join(cwd, '.data', 'credentials.json'), text);
      const said = await terminal.run('whoami', { cwd });
      expect([text, said.exit, said.err.join()]).toEqual([
        text,
        2,
        expect.stringContaining('credentials.json'),
      ]);
    }
    await writeFile(configPath(), '{"current":"shop","profiles":{"shop":{}}}');
    const said = await terminal.run('whoami', { cwd });
    expect([said.exit, said.err.join()]).toEqual([2, expect.stringContaining('no profile shop')]);
  });

  it('X15 names a failure as its exit says, and takes no name for a profile that is none', async () => {
    await rm(configPath(), { recursive: true, force: true });
    for (const name of ['nope', 'constructor', '__proto__'])
      for (const verb of ['use', 'remove', 'remove --yes']) {
        const said = await terminal.run(`profiles ${verb} ${name} --json`);
        const { error } = JSON.parse(said.out.join());
        expect([verb, name, said.exit, error.code]).toEqual([verb, name, 4, 'not_found']);
      }
  });

  it('X17 writes over no kept keys that it could not read', async () => {
    const written = ['[]', 'null', '{', '{"profiles":[]}', '{"profiles":null}', '{"profiles":{"a":null}}'];
    for (const text of written) {
      await mkdir(dirname(configPath()), { recursive: true });
      await writeFile(configPath(), text);
      const said = await terminal.run('profiles use shop --json');
      expect([text, said.exit, JSON.parse(said.out.join()).error.code]).toEqual([text, 2, 'broken_config']);
      expect(await readFile(configPath(), 'utf8')).toBe(text);
    }
    await rm(configPath());
    await mkdir(configPath());
    const said = await terminal.run('profiles list --json');
    expect([said.exit, JSON.parse(said.out.join()).error.code]).toEqual([2, 'broken_config']);
    await rm(configPath(), { recursive: true });
  });
});
