/** The receivers of the guide of webhooks, each started in its framework or by its language, and sent to. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signWebhook } from '../../../sdk/src/webhooks.ts';
import { findFreePort } from '../faults/service-process.ts';
import { listBlocks } from './guide-blocks.ts';
import { ROOT } from './packing.ts';
import { bundle, installSdk } from './sdk-packed.ts';
import { fetchTools, type Tools } from './tools.ts';

const run = promisify(execFile);
const SECRET = 'whsec_Y291bnRlcmZvaWwtc2hhcmVkLXZlY3Rvcg==';
const BODY = JSON.stringify({
  object: 'event',
  id: '01985a8e-0000-7000-8000-000000000001',
  type: 'payment_success',
  data: { order: { number: '7K3M9XQ2V8TD' } },
});

const blocks = listBlocks('docs/guides/webhooks.md');
const find = (mark: string, part: string) => {
  const found = blocks.filter((block) => block.mark === mark && block.code.includes(part));
  expect(found).toHaveLength(1);
  return found[0]?.code ?? '';
};

let folder: string;
let tools: Tools;
beforeAll(async () => {
  ({ folder } = await installSdk());
  tools = await fetchTools();
  const modules = path.join(folder, 'node_modules');
  await mkdir(path.join(modules, '@hono'));
  for (const name of ['express', 'hono', '@hono/node-server'])
    await symlink(tools.find(name), path.join(modules, name));
  await symlink(path.join(ROOT, 'node_modules/fastify'), path.join(modules, 'fastify'));
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

type Send = (body: string, headers: Record<string, string>) => Promise<number>;

/** What is signed is taken; what is changed, or bears no signature, is not. */
async function expectVerified(send: Send): Promise<void> {
  const timestampS = Math.floor(Date.now() / 1000);
  const signed = await signWebhook({ body: BODY, secret: SECRET, id: 'event-1', timestampS });
  const headers = { 'content-type': 'application/json', ...signed };
  expect([200, 204]).toContain(await send(BODY, headers));
  expect(await send(BODY.replace('7K3M', '7K3N'), headers)).toBe(401);
  expect(await send(BODY, { 'content-type': 'application/json' })).toBe(401);
}

const post =
  (port: number): Send =>
  async (body, headers) =>
    (await fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', body, headers })).status;

interface Started {
  child: ChildProcess;
  said: () => string;
}

async function withProcess(
  start: (port: number, env: NodeJS.ProcessEnv) => [program: string, ...args: string[]],
  use: (port: number, started: Started) => Promise<void>,
): Promise<void> {
  const port = await findFreePort();
  const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: SECRET };
  const [program, ...args] = start(port, env);
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      said += part;
    });
  try {
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      );
    await expect.poll(isUp, { message: `${program} ${args.join(' ')}` }).toBe(true);
    await use(port, { child, said: () => said });
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}

async function expectReceiver(
  start: (port: number, env: NodeJS.ProcessEnv) => [program: string, ...args: string[]],
): Promise<void> {
  await withProcess(start, async (port, { said }) => {
    await expectVerified(post(port));
    await expect.poll(said).toContain('deliver 7K3M9XQ2V8TD');
    expect(said()).not.toContain('7K3N');
  });
}

describe('X38 receivers of webhooks', () => {
  it.each([
    ['Express', "from 'express'"],
    ['Fastify', "from 'fastify'"],
    ['Hono', "from '@hono/node-server'"],
  ])('X38 in %s', async (name, part) => {
    const file = `${name.toLowerCase()}.mjs`;
    await writeFile(path.join(folder, file), find('js run', part));
    await expectReceiver(() => [process.execPath, file]);
  });

  it('X38 as Next.js calls a route: with a request', async () => {
    const file = path.join(folder, 'route.mjs');
    await writeFile(file, find('js run', 'export const POST'));
    process.env.WEBHOOK_SECRET = SECRET;
    const { POST } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      POST: (request: Request) => Promise<Response>;
    };
    delete process.env.WEBHOOK_SECRET;
    await expectVerified(
      async (body, headers) =>
        (await POST(new Request('http://shop.example/webhooks', { method: 'POST', body, headers }))).status,
    );
  });

  it('X38 with Hono in workerd', async () => {
    await writeFile(path.join(folder, 'worker.mjs'), await bundle(folder, find('js run', 'export default')));
    await withProcess(
      (port) => {
        const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
      bindings = [(name = "WEBHOOK_SECRET", text = "${SECRET}")],
      compatibilityDate = "2026-01-01",
    )),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`;
        writeFileSync(path.join(folder, 'worker.capnp'), config);
        return [tools.workerd, 'serve', 'worker.capnp'];
      },
      (port) => expectVerified(post(port)),
    );
  });
});

const isThere = (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  );
const VECTORS = path.join(ROOT, 'docs/webhook-vectors.json');
const EXPECTED = (
  JSON.parse(readFileSync(VECTORS, 'utf8')) as { vectors: Array<{ verifies: { standard: boolean } }> }
).vectors.map(({ verifies }) => verifies.standard);

/** Signed with no key at all, as anybody can, and sent to whoever has not set a secret. */
async function writeForged(): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', '').update(`forged.${now}.${BODY}`).digest('base64');
  const headers = {
    'webhook-id': 'forged',
    'webhook-timestamp': `${now}`,
    'webhook-signature': `v1,${signature}`,
  };
  const vectors = ['', 'whsec_'].map((secret) => ({ body: BODY, headers, secret, now }));
  const file = path.join(folder, 'forged.json');
  await writeFile(file, JSON.stringify({ vectors }));
  return file;
}

// A newcomer's machine may have neither language, and `.ci/run` sees to both.
describe('X38 receivers of webhooks in other languages', () => {
  it('X38 Python: every vector, and a server that is sent to', async ({ skip }) => {
    if (!(await isThere('python3'))) skip('there is no python3 here');
    await writeFile(path.join(folder, 'webhooks.py'), find('python run', 'def verify_counterfoil'));
    const ask = `import json, sys, webhooks
vectors = json.load(open(sys.argv[1], encoding="utf-8"))["vectors"]
ask = lambda one: webhooks.verify_counterfoil(one["body"].encode(), one["headers"], one["secret"], one["now"])
print(json.dumps([ask(one) is not None for one in vectors]))`;
    const judge = async (file: string) =>
      JSON.parse((await run('python3', ['-c', ask, file], { cwd: folder })).stdout);
    expect(await judge(VECTORS)).toEqual(EXPECTED);
    expect(await judge(await writeForged())).toEqual([false, false]);
    await expectReceiver(() => ['python3', 'webhooks.py']);
  });

  it('X38 PHP: every vector, a server that is sent to, and the syntax of Laravel’s route', async ({
    skip,
  }) => {
    if (!(await isThere('php'))) skip('there is no php here');
    await writeFile(path.join(folder, 'verify.php'), find('php run', 'function verify_counterfoil'));
    await writeFile(path.join(folder, 'webhooks.php'), find('php run', 'php://input'));
    const ask = `require 'verify.php';
$vectors = json_decode(file_get_contents($argv[1]), true)['vectors'];
$ask = fn ($one) => verify_counterfoil($one['body'], $one['headers'], $one['secret'], $one['now']) !== null;
echo json_encode(array_map($ask, $vectors));`;
    const judge = async (file: string) =>
      JSON.parse((await run('php', ['-r', ask, file], { cwd: folder })).stdout);
    expect(await judge(VECTORS)).toEqual(EXPECTED);
    expect(await judge(await writeForged())).toEqual([false, false]);
    await expectReceiver((port) => ['php', '-S', `127.0.0.1:${port}`, 'webhooks.php']);
    await writeFile(path.join(folder, 'route.php'), find('php type', 'Route::post'));
    await run('php', ['-l', 'route.php'], { cwd: folder });
  });
});
