/** The same service beside itself, set otherwise: over the same store, in turns. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openPooler } from '../../server/test/support/pooler.ts';
import { toHeaders, toPurchase } from '../api.mjs';
import { findFreePort, readCpuMs, startScript, startService, startWorker, stop } from '../children.mjs';
import { measure } from '../rounds.mjs';
import { printRow } from './rows.mjs';

const CONNECTIONS = 8;
/** As many sessions as a process asks for connections. */
const SESSIONS = 20;

export async function printBeside({ store, dataDir, keys, size }) {
  const load = await startScript('load.mjs', { isHello: true });
  const measuring = { store, load: load.child, rounds: size.rounds, connections: CONNECTIONS };
  const asked = { store, dataDir, keys, size, measuring };
  await printMetrics(asked);
  await printSpreadForms(asked);
  await printPooler(asked);
  await stop(load.child);
  await printIdle(asked);
}

async function printMetrics(asked) {
  console.log('\nWith metrics on, beside without');
  const { plain, other } = await measureBoth(asked, {
    scenario: toReads(asked),
    env: { METRICS_PORT: String(await findFreePort()) },
  });
  printRow('one payment, CPU of Node', { one: plain.nodeMs, other: other.nodeMs, aim: 1.03, unit: 'ms' });
}

/** What a store that is spread is asked, of one PostgreSQL that is not: the statements alone, without any network. */
async function printSpreadForms(asked) {
  console.log('\nThe statements of a spread store beside the plain ones, on one PostgreSQL');
  const env = { STORE_FORM: 'spread' };
  for (const { aims, ...scenario } of [
    { ...toReads(asked), title: 'one payment', aims: { cpu: 4, p50: 1.8 } },
    { ...toPurchases(asked), title: 'purchase', aims: { cpu: 3, p50: 2.5 } },
  ]) {
    const { plain, other } = await measureBoth(asked, { scenario, env });
    const { title } = scenario;
    printRow(`${title}, CPU of PostgreSQL`, {
      ...{ one: plain.storeMs, other: other.storeMs, aim: aims.cpu, unit: 'ms' },
    });
    printRow(`${title}, p50`, { one: plain.p50, other: other.p50, aim: aims.p50, unit: 'ms' });
  }
}

/** One that keeps nothing that is prepared; left out where there is none. */
async function printPooler(asked) {
  if (!hasPooler()) {
    console.log('\nThere is no pgbouncer on this machine: the pooler was left out.');
    return;
  }
  console.log('\nOver a pooler that keeps nothing that is prepared, beside without one');
  const pooler = await openPooler(asked.store.url, { size: SESSIONS });
  try {
    const { plain, other } = await measureBoth(asked, {
      scenario: toPurchases(asked),
      databaseUrl: pooler.through(asked.store.url),
    });
    printRow('purchase, CPU of PostgreSQL', {
      ...{ one: plain.storeMs, other: other.storeMs, aim: 1.5, unit: 'ms' },
    });
    printRow('purchase, p50', { one: plain.p50, other: other.p50, aim: 1.5, unit: 'ms' });
  } finally {
    await pooler.close();
  }
}

function hasPooler() {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Requests alone: what falls due is nobody's, so that the CPU is the requests'. */
async function measureBoth({ store, dataDir, measuring }, { scenario, env = {}, databaseUrl = store.url }) {
  const start = (options) => startService({ dataDir, ...options, env: { ...options.env, ROLE: 'api' } });
  const plain = await start({ databaseUrl: store.url, env: {} });
  const other = await start({ databaseUrl, env });
  const servers = [toServer('plain', plain), toServer('other', other)];
  const best = await measure({ servers, scenario, measuring });
  for (const { child } of [plain, other]) await stop(child);
  return { plain: best.get('plain'), other: best.get('other') };
}

/** PostgreSQL cannot tell the two apart, and only one of them is asked at a time. */
const toServer = (name, { origin, pid }) => ({
  ...{ name, applicationName: 'counterfoil', origins: [origin], pids: [pid] },
});

const toReads = ({ keys, size }) => ({
  requests: size.reads,
  round: {
    method: 'GET',
    paths: keys.paymentIds.map((id) => `/v0/payments/${id}`),
    headers: toHeaders(keys.test),
  },
});

function toPurchases({ keys, size }) {
  const { path: target, body } = toPurchase(keys.offerId);
  return {
    requests: size.purchases,
    isChange: true,
    round: { method: 'POST', paths: [target], headers: toHeaders(keys.test), body: JSON.stringify(body) },
  };
}

async function printIdle({ store, dataDir, size }) {
  console.log('\nA worker for whom nothing is due');
  for (const [name, env] of [
    ['plain', {}],
    ['spread', { STORE_FORM: 'spread' }],
  ]) {
    const worker = await startWorker({ databaseUrl: store.url, dataDir: path.join(dataDir, name), env });
    await delay(size.settleMs);
    const cpuMs = readCpuMs(worker.pid);
    await delay(size.idleMs);
    const share = (readCpuMs(worker.pid) - cpuMs) / size.idleMs;
    console.log(`  ${name.padEnd(40)}${share.toFixed(3).padStart(12)}${'aim 0.03'.padStart(36)}  of a core`);
    await stop(worker.child);
  }
}
