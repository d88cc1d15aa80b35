import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** Stands in for the bundler: "bundles" by copying, and fails on a source that says so. */
const BUNDLER = `
  import { cpSync, readFileSync } from 'node:fs';
  const source = readFileSync('server/src/main/start.js', 'utf8');
  if (source.includes('BROKEN')) { console.log('start.ts(1,1): error'); process.exit(2); }
  cpSync('server/src/main', process.argv[2], { recursive: true });
`;
/** Loads it as it stands. */
const LOADER = `
  import { register } from 'node:module';
  register('data:text/javascript,' + encodeURIComponent(\`
    import { readFile } from 'node:fs/promises';
    export const load = async (url, context, next) => url.endsWith('.ts')
      ? { format: 'module', source: await readFile(new URL(url)), shortCircuit: true } : next(url, context);
  \`));
`;
const SERVICE = `
  const keep = setInterval(() => {}, 1000);
  process.once('SIGTERM', () => { clearInterval(keep); console.log('drained'); });
  console.log(['serving as ' + process.pid, ...process.argv.slice(2)].join(' '));
`;

const PATIENT = { timeout: 180_000 };

let clone: string;
let running: ChildProcess[];

beforeEach(async () => {
  running = [];
  clone = await realpath(await mkdtemp(path.join(os.tmpdir(), 'clone-test-')));
  for (const name of ['bootstrap.mjs', 'forebears.mjs'])
    await cp(path.join(import.meta.dirname, '../../scripts', name), inClone(`scripts/${name}`));
  await write('package.json', '{"name":"c","version":"1.0.0","workspaces":["server","web","embed"]}');
  await write('package-lock.json', '{"lockfileVersion":3,"packages":{}}');
  await write('node_modules/.package-lock.json', '{"packages":{}}');
  await write('scripts/typescript.mjs', LOADER);
  await write('scripts/packages/bundle-clone.ts', BUNDLER);
  await write('server/package.json', '{"name":"s","version":"1.0.0","type":"module"}');
  await write('server/src/main/start.js', SERVICE);
  for (const name of ['web', 'embed'])
    await write(
      `${name}/package.json`,
      `{"name":"${name}","version":"1.0.0","scripts":{"build":"mkdir -p dist"}}`,
    );
});

afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(clone, { recursive: true, force: true });
});

function inClone(file: string): string {
  return path.join(clone, file);
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(inClone(file)), { recursive: true });
  await writeFile(inClone(file), text);
}

interface Run {
  child: ChildProcess;
  output: () => string;
  code: Promise<number | null>;
}

function run(args: string[], env: NodeJS.ProcessEnv = {}): Run {
  const child = spawn(process.execPath, args, { cwd: clone, env: { ...process.env, ...env } });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  return { child, output: () => output, code: new Promise((resolve) => child.once('close', resolve)) };
}

async function build(): Promise<{ code: number | null; output: string }> {
  const { code, output } = run(['scripts/bootstrap.mjs', 'build']);
  return { code: await code, output: output() };
}

function toLockFile(): string {
  const id = createHash('sha256').update(`${clone}/`).digest('hex').slice(0, 16);
  return path.join(os.tmpdir(), `counterfoil-build-${id}.lock`);
}

describe('building', () => {
  it('builds what is missing, and then has nothing to do', async () => {
    expect(await build()).toEqual({ code: 0, output: 'Building server\nBuilding web\nBuilding embed\n' });
    expect(await build()).toEqual({ code: 0, output: '' });
  });

  it('rebuilds only what an edit touches, and nothing for a test', async () => {
    await build();
    await write('server/src/some.test.ts', 'a test');
    expect((await build()).output).toBe('');
    await appendFile(inClone('server/src/main/start.js'), '// edited');
    expect((await build()).output).toBe('Building server\n');
  });

  it('shows why a build failed and leaves the last one working', async () => {
    await build();
    await appendFile(inClone('server/src/main/start.js'), '// BROKEN');
    const { code, output } = await build();
    expect([code, output]).toEqual([1, expect.stringContaining('start.ts(1,1): error')]);
    expect(await readFile(inClone('server/dist/run/start.js'), 'utf8')).toBe(SERVICE);
  });

  it('builds once when two processes want it at the same time', async () => {
    const [one, two] = await Promise.all([build(), build()]);
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(`${one.output}${two.output}`.match(/Building server/g)).toHaveLength(1);
  });

  it('takes over the lock of a process that was killed', async () => {
    const dead = run(['-e', '0']);
    await dead.code;
    await writeFile(toLockFile(), String(dead.child.pid));
    expect((await build()).code).toBe(0);
    expect(existsSync(toLockFile())).toBe(false);
  });
});

describe('starting', () => {
  it('runs the service in its own process, which a signal reaches', async () => {
    await build();
    // With the flags that it was given, and no word beside them.
    const service = run(['scripts/bootstrap.mjs', 'start', '--make-user']);
    await expect.poll(service.output, PATIENT).toBe(`serving as ${service.child.pid} --make-user\n`);
    service.child.kill('SIGTERM');
    expect(await service.code).toBe(0);
    expect(service.output()).toContain('drained');
  });

  it.each([
    ['itself', `'exec "$0" scripts/bootstrap.mjs start'`],
    ['by way of a shell', `'"$0" scripts/bootstrap.mjs start; true'`],
  ])('ends the service when npm, which runs it %s, is killed', async (_, script) => {
    await build();
    const npm = `require('node:child_process').spawn('sh', ['-c', ${script}, process.execPath], { stdio: 'inherit' })`;
    const parent = run(['-e', npm], { npm_lifecycle_event: 'start' });
    await expect.poll(parent.output, PATIENT).toContain('serving');
    parent.child.kill('SIGKILL');
    // The output closes when the service, which shares it, has ended.
    await parent.code;
    expect(parent.output()).toContain('npm has ended: stopping\ndrained');
  });

  it('refuses an old Node.js in one line', async () => {
    const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.18.1' } })`;
    const { code, output } = run(['--import', old, 'scripts/bootstrap.mjs', 'start']);
    expect(await code).toBe(2);
    expect(output()).toBe('Counterfoil needs Node.js 20.19 or newer; this is 20.18.1.\n');
  });
});

describe('the demo', () => {
  it('finds the keys where a start leaves them, without being told', async () => {
    for (const name of ['demo.mjs', 'demo-data.mjs'])
      await cp(path.join(import.meta.dirname, '../../scripts', name), inClone(`scripts/${name}`));
    const asked: unknown[] = [];
    const service = createServer(({ url, headers }, response) => {
      asked.push([url, headers['x-svc-public-key'], headers['x-svc-secret-key']]);
      response.writeHead(418, { 'content-type': 'application/json' }).end('{"error":"no more"}');
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    // Listening on a port, not a pipe.
    const { port } = service.address() as AddressInfo;
    const test = { publicKey: 'pub', secretKey: 'sec' };
    await write('.data/credentials.json', JSON.stringify({ test, baseUrl: `http://127.0.0.1:${port}` }));
    const unset = { DATA_DIR: undefined, SVC_PUBLIC_KEY: undefined, SVC_SECRET_KEY: undefined };
    const { code, output } = run(['scripts/demo.mjs', '--orders', '1'], unset);
    expect([await code, output()]).toEqual([1, expect.stringContaining('/v0/products/create: 418')]);
    expect(asked).toEqual([['/v0/products/create', 'pub', 'sec']]);
    service.close();
  });
});
