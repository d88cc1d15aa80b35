import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findFreePort } from '../faults/service-process.ts';
import {
  findProcesses,
  isReady,
  killGroup,
  makeStranger,
  measure,
  type Packed,
  pack,
  type Running,
  remove,
  start,
} from './packing.ts';

const MIB = 2 ** 20;
/** What is started here is cold and works for minutes where the machine is busy: only what stands still takes this long. */
const HALTED_AFTER_MS = 900_000;

let packed: Packed;
let modules: string;
let started: Running[] = [];

beforeAll(async () => {
  packed = await pack();
}, 900_000);

afterEach(() => {
  for (const one of started) killGroup(one);
  started = [];
});

afterAll(() => remove(packed.folder));

async function readCredentials(
  cwd: string,
): Promise<{ baseUrl: string; test: { publicKey: string; secretKey: string } }> {
  return JSON.parse(await readFile(path.join(cwd, '.data/credentials.json'), 'utf8'));
}

function run(words: readonly string[], options: Parameters<typeof start>[1]): Running {
  const one = start(words, options);
  started.push(one);
  return one;
}

it(
  'X32 starts by npx with nothing on the machine, is small, and ends with npx',
  async () => {
    expect((await stat(packed.service)).size).toBeLessThanOrEqual(22e6);
    const stranger = await makeStranger(packed);
    const port = await findFreePort();
    const npx = run(['npx', '--yes', '--package', packed.service, 'counterfoil'], { ...stranger, port });
    await npx.ready();

    const cache = path.join(stranger.env.npm_config_cache ?? '', '_npx');
    modules = path.join(cache, (await readdir(cache))[0] ?? '', 'node_modules');
    const { packages, bytes } = await measure(modules);
    expect(packages).toBeLessThanOrEqual(140);
    expect(bytes / MIB).toBeLessThanOrEqual(200);
    const lock = JSON.parse(await readFile(path.join(modules, '.package-lock.json'), 'utf8'));
    const shrinkwrap = JSON.parse(
      await readFile(path.join(modules, 'counterfoil/npm-shrinkwrap.json'), 'utf8'),
    );
    expect(Object.keys(lock.packages)).toContain('node_modules/sharp');
    for (const [at, { version }] of Object.entries<{ version: string }>(lock.packages)) {
      const name = at.replace('node_modules/counterfoil/', '');
      if (name !== 'node_modules/counterfoil')
        expect([at, version]).toEqual([at, shrinkwrap.packages[name].version]);
    }

    // What it says: where the data lies, and no word of warning.
    await expect.poll(npx.output).toContain(path.join(stranger.cwd, '.data'));
    expect(npx.output()).not.toMatch(/warn|deprecat|EBADENGINE/i);
    await tryPages(await readCredentials(stranger.cwd));

    npx.child.kill('SIGTERM');
    await npx.ended;
    await expect.poll(() => isReady(port)).toBe(false);
    await expect.poll(() => findProcesses(stranger.cwd)).toEqual([]);
    await expect.poll(() => findProcesses(cache)).toEqual([]);
  },
  HALTED_AFTER_MS,
);

it('X37 is equal to the byte when it is packed twice', () => {
  expect(packed.digests.map((line) => line.split('  ')[1]?.replace(/-\d.*/, ''))).toEqual([
    'counterfoil',
    'counterfoil-cli',
    'counterfoil-embed',
    'counterfoil-sdk',
  ]);
  for (const line of packed.digests) expect(line).toMatch(/^[0-9a-f]{64} {2}/);
});

/** What reads files, loads late or draws: a bundle that has left something behind fails here. */
async function tryPages({
  baseUrl,
  test,
}: {
  baseUrl: string;
  test: { publicKey: string; secretKey: string };
}): Promise<void> {
  const headers = {
    'x-svc-public-key': test.publicKey,
    'x-svc-secret-key': test.secretKey,
    'content-type': 'application/json',
  };
  const ask = async (at: string, body?: unknown) => {
    const answer = await fetch(`${baseUrl}${at}`, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    expect([at, answer.status]).toEqual([at, 200]);
    return answer;
  };
  for (const page of ['/docs/', '/docs/js/scalar.js', '/openapi.json', '/dashboard', '/embed/v1.js'])
    await ask(page);
  for (const page of ['/docs/guides', '/docs/guides/quick-start', '/docs/errors/sold_out', '/llms-full.txt'])
    await ask(page);
  // There is no clone whose `npm run` a reader could give.
  const drill = await (await ask('/docs/guides/restore-the-drill.md')).text();
  expect(drill).toContain('counterfoil backup verify');
  expect(drill).not.toMatch(/npm (run|start)/);
  const listed = (await (await ask('/v0/offers/list')).json()) as {
    data: { offers: Array<{ id: string; name: string }> };
  };
  const bought = await ask('/v0/test-purchases/create', {
    offersIds: [listed.data.offers.find(({ name }) => name === 'Nebula Drift')?.id],
    userEmail: 'buyer@example.com',
    billingDetails: { firstName: 'Ada', lastName: 'Núñez 東京', countryCode: 'DE', taxId: 'DE136695976' },
  });
  const { data } = (await bought.json()) as { data: { payment: { invoiceUrl: string } } };
  const invoice = await fetch(data.payment.invoiceUrl);
  expect(
    Buffer.from(await invoice.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
}

it(
  'X33 runs twice side by side, each in its own folder and on its own port',
  async () => {
    const bin = path.join(modules, '.bin/counterfoil');
    const shops = await Promise.all(
      [1, 2].map(async () => ({ ...(await makeStranger(packed)), port: await findFreePort() })),
    );
    const running = shops.map((shop) => run([bin], shop));
    await Promise.all(running.map((one) => one.ready()));
    const keys = await Promise.all(shops.map(({ cwd }) => readCredentials(cwd)));
    expect(keys.map(({ baseUrl }) => baseUrl)).toEqual(shops.map(({ port }) => `http://localhost:${port}`));
    for (const [at, { baseUrl }] of keys.entries()) {
      const answers = keys.map(({ test }) =>
        fetch(`${baseUrl}/v0/offers/list`, { headers: { 'x-svc-public-key': test.publicKey } }).then(
          ({ status }) => status,
        ),
      );
      expect(await Promise.all(answers)).toEqual(at === 0 ? [200, 401] : [401, 200]);
    }
    for (const [at, { cwd, env }] of shops.entries()) {
      // The operators' commands beside it, and the merchant's with what the start has written down.
      const list = run([bin, 'keys', 'list'], { cwd, env, port: 0 });
      expect(await list.ended).toBe(0);
      await expect.poll(list.output).toContain(keys[at]?.test.publicKey);
      const migrated = run([bin, 'migrate'], { cwd, env, port: 0 });
      expect(await migrated.ended).toBe(0);
      await expect.poll(migrated.output).toContain('The store has the schema of this version.');
      const offers = run([bin, 'offers', 'list', '--json'], { cwd, env, port: 0 });
      expect(await offers.ended).toBe(0);
      running[at]?.child.kill('SIGTERM');
      expect(await running[at]?.ended).toBe(0);
    }
  },
  HALTED_AFTER_MS,
);
