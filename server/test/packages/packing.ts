/** The packages as they are published, and what a stranger does with them. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

export interface Packed {
  /** Of everything that a test makes, to be removed. */
  folder: string;
  /** Of each package, once it was packed twice: its SHA-256 and its name. */
  digests: string[];
  service: string;
  sdk: string;
  cli: string;
}

/** All of a release but the publishing. */
export async function pack(): Promise<Packed> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-packed-'));
  const out = path.join(folder, 'packages');
  const { stdout } = await run('npm', ['run', '--silent', 'release:check', '--', '--out', out], {
    cwd: ROOT,
    env: toCleanEnv(),
    maxBuffer: 2 ** 26,
  });
  const names = await readdir(out);
  const find = (start: RegExp) => path.join(out, names.find((name) => start.test(name)) ?? 'missing.tgz');
  return {
    folder,
    digests: stdout.split('\n').filter((line) => /^[0-9a-f]{64} /.test(line)),
    service: find(/^counterfoil-\d.*\.tgz$/),
    sdk: find(/^counterfoil-sdk-.*\.tgz$/),
    cli: find(/^counterfoil-cli-.*\.tgz$/),
  };
}

/** The settings of whoever runs the tests are not a stranger's; where npm finds packages is this machine's to say. */
export function toCleanEnv(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, npm_config_registry } = process.env;
  return { PATH, HOME, ...(npm_config_registry ? { npm_config_registry } : {}), ...more };
}

/** An empty home, an empty cache, an empty folder. */
export async function makeStranger(packed: Packed): Promise<{ cwd: string; env: NodeJS.ProcessEnv }> {
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { cwd: os.tmpdir() });
  const home = await mkdtemp(path.join(packed.folder, 'home-'));
  const cwd = path.join(home, 'shop');
  await mkdir(cwd);
  const npm = { npm_config_cache: path.join(home, 'cache'), npm_config_registry: stdout.trim() };
  return { cwd, env: toCleanEnv({ HOME: home, ...npm }) };
}

export interface Running {
  child: ChildProcess;
  output(): string;
  /** Waits until /readyz answers 200. */
  ready(): Promise<void>;
  ended: Promise<number | null>;
}

/** Nobody waits for less than a machine that is busy with something else may take: what has ended is told at once. */
const READY_WITHIN_MS = 600_000;

export function start(
  words: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; port: number },
): Running {
  const [command = '', ...args] = words;
  const env = { ...options.env, PORT: String(options.port) };
  // A group of its own, so that nothing of it can outlive its test.
  const child = spawn(command, args, {
    cwd: options.cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = async () => {
    const fromMs = performance.now();
    while (!(await isReady(options.port))) {
      if (child.exitCode !== null) throw new Error(`it ended before it was ready:\n${text}`);
      if (performance.now() - fromMs > READY_WITHIN_MS) throw new Error(`it was not ready in time:\n${text}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  return { child, output: () => text, ready, ended };
}

export async function isReady(port: number): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200;
}

export function killGroup({ child }: Running): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Command lines of living processes that name a folder, this one's own left out. */
export async function findProcesses(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const lines = ids.map(async (id) =>
    (await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' '),
  );
  return (await Promise.all(lines)).filter((line) => line.includes(folder));
}

/** Of an install: its packages, and what they weigh. */
export async function measure(modules: string): Promise<{ packages: number; bytes: number }> {
  const tops = await readdir(modules);
  const lists = await Promise.all(
    tops.map(async (name) =>
      name.startsWith('@') ? readdir(path.join(modules, name)) : name.startsWith('.') ? [] : [name],
    ),
  );
  return { packages: lists.flat().length, bytes: await weigh(modules) };
}

async function weigh(at: string): Promise<number> {
  const names = await readdir(at, { withFileTypes: true });
  const sizes = names.map(async (entry) => {
    const below = path.join(at, entry.name);
    if (entry.isDirectory()) return weigh(below);
    return entry.isFile() ? (await stat(below)).size : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

export const remove = (folder: string) => rm(folder, { recursive: true, force: true });
