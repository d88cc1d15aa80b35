/**
 * What `npm start`, `npm test`, `npm run build`, `npm run check` and `npm run docs` run first, on a fresh clone
 * too: it installs and builds what is missing or out of date, and nothing else. Plain JavaScript without
 * dependencies, since at this point there may be neither a compiler nor a package.
 */
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endWithParent } from './forebears.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NODE_MIN = [20, 19];
/** As `counterfoil` ends where the Node.js is too old, which is no bug of ours. */
const USAGE_CODE = 2;
const LOCK_STALE_MS = 15_000;
const LOCK_TOUCH_MS = 2_000;
const LOCK_POLL_MS = 200;
/** A stop in good order ends by itself before: one that is cut short leaves PostgreSQL behind. The port is free at its beginning. */
const ORPHAN_GRACE_MS = 30_000;
/** A bench has processes to stop and databases to drop. */
const BENCH_GRACE_MS = 30_000;

/** What is built: the inputs that a build depends on, and how. The stamp lies in the output folder. */
const BUILDS = [
  {
    name: 'server',
    inputs: ['server/src', 'server/package.json', 'server/bin', 'scripts/packages'],
    output: 'server/dist',
    build: buildServer,
  },
  // The script that shops load is built with the pages.
  { name: 'web', inputs: ['web', 'embed'], output: 'web/dist', build: buildWeb },
  { name: 'embed', inputs: ['embed'], output: 'embed/dist', build: buildEmbed },
];
const SHARED_INPUTS = ['package-lock.json', 'tsconfig.base.json'];
const NOT_INPUTS = /^(node_modules|dist|test-results|coverage)$|\.test\.[a-z]+$/;

/** A reason to stop that is told in one line, or with the output of the command that failed. */
class Stop extends Error {}

await main(process.argv[2], process.argv.slice(3));

async function main(verb, args) {
  requireNode(process.versions.node);
  try {
    if (verb === 'start') await start();
    else if (verb === 'build') await prepare({ build: true });
    else if (verb === 'pages') await prepare({ build: true, only: 'web', dev: true });
    else if (verb === 'test') process.exitCode = await test(args);
    else if (verb === 'bench') await bench(args[0]);
    else fail('Usage: node scripts/bootstrap.mjs start | build | pages | test [paths] | bench name');
  } catch (error) {
    fail(error instanceof Stop ? error.message : error);
  }
}

function fail(reason, exit = 1) {
  console.error(reason);
  process.exit(exit);
}

function requireNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  fail(`Counterfoil needs Node.js ${NODE_MIN.join('.')} or newer; this is ${version}.`, USAGE_CODE);
}

/** Runs the service in this very process: one process to signal, nothing left behind when it is killed. */
async function start() {
  await prepare({ build: true });
  endWithParent(ORPHAN_GRACE_MS);
  // The start reads its own flags, of which our verb is none.
  process.argv.splice(2, 1);
  await import(pathToFileURL(path.join(ROOT, 'server/dist/run/start.js')).href);
}

/** In this very process, too. */
async function bench(name) {
  await prepare({ build: true });
  endWithParent(BENCH_GRACE_MS);
  // Some measure parts of the service by its sources.
  await import('./typescript.mjs');
  await import(pathToFileURL(path.join(ROOT, 'bench', `${name}.mjs`)).href);
}

/** All of the suite that the paths name; without a path what two cores run in a few minutes (server/test/slow-files.ts). */
async function test(args) {
  await prepare({ build: true });
  const isWhole = process.env.TEST_WHOLE === 'true' || args.some((arg) => !arg.startsWith('-'));
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, TEST_WHOLE: String(isWhole) },
  });
  // The child gets a Ctrl-C by itself, and a kill from us; either way its end is ours to wait for.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Installs and builds what is missing: everything, or `only` one build with what its caller develops with. */
async function prepare({ build, only, dev = !build }) {
  const targets = BUILDS.filter(({ name }) => build && (only === undefined || name === only));
  if (isInstalled({ dev }) && targets.every(isBuilt)) return;
  await withLock(async () => {
    // Another start may have done it all while this one waited.
    const stale = targets.filter((target) => !isBuilt(target));
    if (!isInstalled({ dev: dev || stale.length > 0 })) await install();
    for (const target of stale) await buildOnce(target);
  });
}

/** Compares the lockfile with the one that npm leaves in node_modules when an install is complete. */
function isInstalled({ dev }) {
  const installed = path.join(ROOT, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const wanted = readJson(path.join(ROOT, 'package-lock.json')).packages;
  const found = readJson(installed).packages;
  return Object.entries(wanted).every(([name, entry]) => {
    const isNeeded =
      name.includes('node_modules/') && !entry.link && !isOptional(entry) && (dev || !isDevelopment(entry));
    return !isNeeded || found[name]?.version === entry.version;
  });
}

function isOptional(entry) {
  return entry.optional === true || entry.devOptional === true || entry.peer === true;
}

function isDevelopment(entry) {
  return entry.dev === true;
}

async function install() {
  say('Installing packages (npm ci)');
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  await npm(args);
}

function isBuilt(target) {
  const stamp = toStampFile(target);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === toHash(target);
}

async function buildOnce(target) {
  say(`Building ${target.name}`);
  // Taken before, so that an edit made during the build is built next time.
  const hash = toHash(target);
  await target.build(path.join(ROOT, target.output));
  writeFileSync(toStampFile(target), hash);
}

function toStampFile(target) {
  return path.join(ROOT, target.output, '.built-from');
}

function toHash(target) {
  const hash = createHash('sha256');
  for (const input of [...SHARED_INPUTS, ...target.inputs]) addToHash(hash, input);
  return hash.digest('hex');
}

function addToHash(hash, relative) {
  const file = path.join(ROOT, relative);
  if (!existsSync(file)) return;
  if (statSync(file).isDirectory()) {
    const names = readdirSync(file).filter((name) => !NOT_INPUTS.test(name));
    for (const name of names.sort()) addToHash(hash, `${relative}/${name}`);
    return;
  }
  const content = readFileSync(file);
  hash.update(`${relative}\0${content.length}\0`).update(content);
}

/** Built aside and swapped in whole: a build that fails or is killed leaves the last one working. */
async function buildServer(output) {
  // What a build that was killed has left; the lock says that no other is at work.
  const folder = path.dirname(output);
  for (const name of readdirSync(folder)) {
    if (name.startsWith('dist.')) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
  const staged = `${output}.${randomUUID()}`;
  try {
    const bundle = ['--import', './scripts/typescript.mjs', 'scripts/packages/bundle-clone.ts'];
    await run(process.execPath, [...bundle, path.join(staged, 'run')]);
    rmSync(output, { recursive: true, force: true });
    renameSync(staged, output);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** Whoever asks: a build that a test asks for would else be one to debug, and larger. */
function forProduction() {
  return { env: { ...process.env, NODE_ENV: 'production' } };
}

async function buildWeb() {
  await npm(['run', 'build', '--workspace', 'web', '--silent'], forProduction());
}

async function buildEmbed() {
  await npm(['run', 'build', '--workspace', 'embed', '--silent'], forProduction());
}

async function npm(args, options = {}) {
  const own = process.env.npm_execpath ?? '';
  if (own.endsWith('npm-cli.js')) await run(process.execPath, [own, ...args], options);
  else await run('npm', args, { shell: process.platform === 'win32', ...options });
}

/** Runs a command quietly; its output is shown only when it fails. */
async function run(file, args, options = {}) {
  const child = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const end = () => child.kill();
  process.once('exit', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Stop(`${file} could not be run: ${error.message}`)));
    child.once('close', resolve);
  });
  process.off('exit', end);
  if (code !== 0) throw new Stop(`${output.trim()}\n${[path.basename(file), ...args].join(' ')} failed.`);
}

/** Lets one process at a time install and build this clone. */
async function withLock(work) {
  const id = createHash('sha256').update(ROOT).digest('hex').slice(0, 16);
  const lock = path.join(os.tmpdir(), `counterfoil-build-${id}.lock`);
  let isTold = false;
  while (!takeLock(lock)) {
    if (!isTold) say('Another process is installing or building this clone: waiting for it');
    isTold = true;
    removeStaleLock(lock);
    await delay(LOCK_POLL_MS);
  }
  // A number of a process is not proof of life, since numbers are used again; a fresh time is.
  const touch = setInterval(() => isOwn(lock) && utimesSync(lock, new Date(), new Date()), LOCK_TOUCH_MS);
  const release = () => isOwn(lock) && rmSync(lock, { force: true });
  const interrupt = () => process.exit(130);
  process.once('exit', release);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupt);
  try {
    await work();
  } finally {
    clearInterval(touch);
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupt);
    process.off('exit', release);
    release();
  }
}

function takeLock(lock) {
  try {
    const file = openSync(lock, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** False after a pause so long that another process took it for stale. */
function isOwn(lock) {
  return existsSync(lock) && readFileSync(lock, 'utf8') === String(process.pid);
}

/** Moved away before it is removed: of several that find it stale, one moves it, and never a new lock. */
function removeStaleLock(lock) {
  if (!isStale(lock)) return;
  const aside = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, aside);
    if (isStale(aside)) rmSync(aside);
    else renameSync(aside, lock);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function isStale(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > LOCK_STALE_MS) return true;
    const pid = Number(readFileSync(lock, 'utf8'));
    // Empty for the moment between its making and its writing.
    if (pid === 0) return false;
    process.kill(pid, 0);
    return pid === process.pid;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function say(line) {
  console.log(line);
}
