/** The SDK as it is published: what it is made of, and where it runs. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { weigh } from '../../../scripts/check-sdk.ts';
import { type Service, startService } from '../../../sdk/test/service.ts';
import { findFreePort } from '../faults/service-process.ts';
import { bundle, EXPECTED, installSdk } from './sdk-packed.ts';
import { fetchTools, type Tools } from './tools.ts';

const run = promisify(execFile);
const RUN_WITHIN_MS = 60_000;

let folder: string;
let tarball: string;
let tools: Tools;
let service: Service;

beforeAll(async () => {
  ({ folder, tarball } = await installSdk());
  tools = await fetchTools();
  service = await startService();
}, 600_000);

afterAll(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

it('X01 installs with no dependency, loads by import and require, and its types are found', async () => {
  expect(await readdir(path.join(folder, 'node_modules'))).toEqual(expect.arrayContaining(['@counterfoil']));
  const installed = await readdir(path.join(folder, 'node_modules'), { recursive: true });
  expect(installed.filter((name) => /^(?!\.).*package\.json$/.test(name)).sort()).toEqual([
    '@counterfoil/sdk/dist/cjs/package.json',
    '@counterfoil/sdk/package.json',
  ]);
  const manifest = JSON.parse(
    await readFile(path.join(folder, 'node_modules/@counterfoil/sdk/package.json'), 'utf8'),
  );
  expect(manifest.dependencies).toBeUndefined();
  const node = async (...args: string[]) =>
    (await run(process.execPath, args, { cwd: folder })).stdout.trim();
  const show = 'console.log(typeof a.Counterfoil, typeof b.verifyWebhook)';
  const required = `const a = require('@counterfoil/sdk'); const b = require('@counterfoil/sdk/webhooks'); ${show}`;
  const imported = `import * as a from '@counterfoil/sdk'; import * as b from '@counterfoil/sdk/webhooks'; ${show}`;
  expect(await node('--input-type=commonjs', '-e', required)).toBe('function function');
  expect(await node('--input-type=module', '-e', imported)).toBe('function function');
  await run(process.execPath, [
    tools.publint,
    '--strict',
    path.join(folder, 'node_modules/@counterfoil/sdk'),
  ]);
  await run(process.execPath, [tools.attw, '--profile', 'node16', tarball]);

  expect((await stat(tarball)).size).toBeLessThanOrEqual(120 * 1024);
  expect(await weigh('index')).toBeLessThanOrEqual(8 * 1024);
  expect(await weigh('webhooks')).toBeLessThanOrEqual(2 * 1024);
});

function toOptions(): { baseUrl: string; publicKey: string; secretKey: string } {
  const { publicKey, secretKey } = service.app.test.keys;
  return { baseUrl: service.baseUrl, publicKey, secretKey };
}

it.each(['node', 'node24', 'deno'] as const)('X10 runs in %s', async (runtime) => {
  const text = `import { probe } from './probe.mjs'; console.log(await probe(${JSON.stringify(toOptions())}));`;
  await writeFile(path.join(folder, 'run.mjs'), text);
  const [file, args] =
    runtime === 'deno'
      ? [
          tools.deno,
          ['run', '--allow-net', '--allow-env', '--no-prompt', '--node-modules-dir=manual', 'run.mjs'],
        ]
      : [runtime === 'node' ? process.execPath : tools.node24, ['run.mjs']];
  const env = { PATH: process.env.PATH, HOME: folder, DENO_NO_UPDATE_CHECK: '1' };
  const { stdout } = await run(file, args, { cwd: folder, env, timeout: RUN_WITHIN_MS });
  expect(stdout.trim()).toBe(EXPECTED);
});

it('X10 runs in workerd', async () => {
  const options = JSON.stringify(toOptions());
  const worker = `import { probe } from './probe.mjs'; export default { fetch: async () => new Response(await probe(${options})) };`;
  const port = await findFreePort();
  const at = path.join(folder, 'worker');
  await mkdir(at);
  await writeFile(path.join(at, 'worker.mjs'), await bundle(folder, worker));
  await writeFile(
    path.join(at, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "worker.mjs", esModule = embed "worker.mjs")], compatibilityDate = "2026-01-01")),
    (name = "internet", network = (allow = ["local", "private"], tlsOptions = ())),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`,
  );
  const child = spawn(tools.workerd, ['serve', 'config.capnp'], {
    cwd: at,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (part) => {
    said += part;
  });
  try {
    const ask = () =>
      fetch(`http://127.0.0.1:${port}`)
        .then((answer) => answer.text())
        .catch(() => said);
    await expect.poll(ask).toBe(EXPECTED);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
