/** Child processes of the bench: started, waited for, measured from the operating system, and stopped. */
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const COMMANDS = path.join(HERE, '../server/dist/run');
const SERVICE = path.join(COMMANDS, 'start.js');
const READY_POLL_MS = 5;
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;

/** Ticks of a second in /proc; 100 on every Linux that Node runs on, asked for all the same. */
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Everything that was started and has not ended. */
const running = new Set();
let isOver = false;

/** Stops everything, and whatever may yet be started. A service that is killed would leave its embedded store running. */
export async function stopAll() {
  isOver = true;
  await Promise.all([...running].map(stop));
}

/** CPU time (ms, user and system, all threads) that a process has used since its start; 0 once it is gone. */
export function readCpuMs(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name is in brackets and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** Resident memory of a process in MiB. */
export function readMemoryMib(pid) {
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

/**
 * Starts the built service and waits until it takes requests. `databaseUrl` null = the embedded store.
 * Returns its process, its origin and the time from spawn to the first answer of /readyz.
 */
export async function startService({ databaseUrl, dataDir, ...options }) {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const startedMs = performance.now();
  const child = spawnService({
    databaseUrl,
    dataDir,
    ...options,
    env: { ...options.env, PORT: String(port) },
  });
  child.stdout.resume();
  await waitUntilReady(child, `${origin}/readyz`);
  return { child, pid: child.pid, origin, readyMs: performance.now() - startedMs };
}

/** Starts the built service as a worker alone, which listens nowhere, and waits until it says that it runs. */
export async function startWorker(options) {
  const child = spawnService({ ...options, env: { ...options.env, ROLE: 'worker' } });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error('the worker ended by itself');
    }),
  ]);
  child.stdout.resume();
  return { child, pid: child.pid };
}

/** Runs a command of the operators' to its end; throws with what it said where that is not 0. */
export async function runCommand(name, args, { databaseUrl, dataDir, env: given = {} }) {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const store = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl };
  const env = { ...inherited, ...store, DATA_DIR: dataDir, ENV_FILE: '', ...given };
  const child = spawn(process.execPath, [path.join(COMMANDS, `${name}.js`), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  track(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${said}`);
}

/** `nodeArgs` go before the script: a module that is loaded first. */
function spawnService({ databaseUrl, dataDir, env, nodeArgs = [] }) {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [...nodeArgs, SERVICE], {
    env: {
      ...inherited,
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      SEED_DEMO: 'false',
      RATE_LIMIT_TEST: '0',
      RATE_LIMIT_LIVE: '0',
      LOG_LEVEL: 'warn',
      ENV_FILE: '',
      // As `npm start`, the image and the unit have it.
      MALLOC_ARENA_MAX: '2',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  track(child);
  return child;
}

/** Starts one of the bench's own scripts, which tells by a message that it is ready. */
export async function startScript(name, options) {
  const child = fork(path.join(HERE, name), { stdio: 'inherit' });
  track(child);
  child.send(options);
  const message = await nextMessage(child, name);
  return { child, pid: child.pid, ...message };
}

/** Sends a message and waits for the answer. */
export async function ask(child, message) {
  child.send(message);
  return nextMessage(child, 'the bench script');
}

export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  clearTimeout(limit);
}

/** It is stopped with all others, however the bench ends. */
export function track(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  if (isOver) void stop(child);
}

async function nextMessage(child, name) {
  const gone = new AbortController();
  const ended = once(child, 'exit', { signal: gone.signal }).then(() => {
    throw new Error(`${name} ended by itself`);
  });
  ended.catch(() => {});
  const [message] = await Promise.race([once(child, 'message'), ended]);
  gone.abort();
  if (message.error) throw new Error(message.error);
  return message;
}

async function waitUntilReady(child, url) {
  const limitMs = performance.now() + READY_LIMIT_MS;
  while (performance.now() < limitMs) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await delay(READY_POLL_MS);
  }
  throw new Error(`the service was not ready within ${READY_LIMIT_MS} ms`);
}

export async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
