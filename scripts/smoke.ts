/**
 * `npm run smoke`: does what a newcomer does. `npm start` on an empty folder must answer within the time that
 * is promised, leave keys that work and a shop that opens, and stop when it is asked to.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from './source-files.ts';

const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;
const POLL_MS = 100;

interface Credentials {
  baseUrl: string;
  test: { publicKey: string; secretKey: string };
  checkoutUrl: string;
}

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-smoke-'));
const port = await findFreePort();
const startedMs = performance.now();
const service = spawn('npm', ['start'], {
  cwd: ROOT,
  // A group of its own, so that nothing of it can outlive this check.
  detached: true,
  env: { ...toCleanEnv(process.env), PORT: String(port), DATA_DIR: dataDir },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const ended = new Promise<void>((resolve) => service.once('close', () => resolve()));
try {
  await waitUntilReady(`http://127.0.0.1:${port}`);
  console.log(`ready in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  await tryShop();
  signal('SIGTERM');
  await within(STOP_LIMIT_MS, ended, 'The service did not stop.');
  console.log('the keys work, the checkout opens, and the service stops');
} finally {
  signal('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
}

/** The settings of whoever runs this are not a newcomer's. */
function toCleanEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, DATABASE_URL: '', SEED_DEMO: '', PUBLIC_URL: '', ROLE: '', HOST: '', ENV_FILE: '' };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

async function waitUntilReady(baseUrl: string): Promise<void> {
  while (performance.now() - startedMs < READY_LIMIT_MS) {
    if (service.exitCode !== null) throw new Error('npm start has ended.');
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (answer?.status === 200) return;
    await delay(POLL_MS);
  }
  throw new Error(`The service was not ready within ${READY_LIMIT_MS / 1000} s.`);
}

async function tryShop(): Promise<void> {
  const text = await readFile(path.join(dataDir, 'credentials.json'), 'utf8');
  // The service wrote it; a missing field fails the requests below.
  const credentials = JSON.parse(text) as Credentials;
  const headers = { 'x-svc-public-key': credentials.test.publicKey };
  await expectOk(`${credentials.baseUrl}/v0/offers/list`, headers);
  await expectOk(credentials.checkoutUrl, {});
  const all = { ...headers, 'x-svc-secret-key': credentials.test.secretKey };
  const answer = await fetch(`${credentials.baseUrl}/v0/settings`, { headers: all });
  const settings = await answer.text();
  if (!settings.includes('"sellerCountry":"DE"')) throw new Error(`The demo sells from nowhere: ${settings}`);
}

async function expectOk(url: string, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(url, { headers });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
}

async function within(limitMs: number, work: Promise<void>, message: string): Promise<void> {
  const limit = new AbortController();
  const late = delay(limitMs, true, { signal: limit.signal }).catch(() => false);
  const isLate = await Promise.race([work.then(() => false), late]);
  limit.abort();
  if (isLate) throw new Error(message);
}

function signal(name: 'SIGTERM' | 'SIGKILL'): void {
  if (service.pid === undefined) return;
  try {
    process.kill(-service.pid, name);
  } catch {
    // It has ended already.
  }
}
