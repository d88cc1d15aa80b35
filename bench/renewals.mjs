/**
 * `npm run bench:renewals [-- --short]`: subscriptions that are due at once, renewed by 1, 2 and 4 workers on
 * PostgreSQL, in stores that grow, and a million of them; then a test clock that is moved by a year. See README.md.
 */
import os from 'node:os';
import { readCpuMs, stop } from './children.mjs';
import { countStatements, measureCrowd, measureRenewals, openShop, readStoreMs } from './renewing.mjs';
import { isShort, runBench } from './run-bench.mjs';
import { seedSubscriptions } from './store.mjs';

const SIZE = isShort
  ? { due: 300, workers: [2], stores: [], clock: 20, crowds: [200], passed: 50, counted: 100 }
  : {
      ...{ due: 9_000, workers: [1, 2, 4], stores: [1_000, 10_000, 100_000, 1_000_000], clock: 1_000 },
      ...{ crowds: [9_000, 1_000_000], passed: 1_000, counted: 8_000 },
    };
/** Of a store that grows: one in a hundred is due. */
const SHARE_DUE = 100;
const LEAST_DUE = 100;
const CROWD_WORKERS = 2;
/** The ten statements that are sent most, with `--statements`. */
const isTold = process.argv.includes('--statements');
/** The crowds alone, with `--crowds`. */
const areCrowdsAlone = process.argv.includes('--crowds');

await runBench(main);

async function main(folder) {
  console.log(`Load of the machine: ${os.loadavg()[0].toFixed(1)} on ${os.cpus().length} cores`);
  await printCrowds(folder);
  if (areCrowdsAlone) return;
  console.log(`\n${SIZE.due} subscriptions due at once`);
  printHeads('workers');
  for (const workers of SIZE.workers)
    printLine(String(workers), await measureRenewals(folder, { workers, all: SIZE.due, due: SIZE.due }));
  if (SIZE.stores.length > 0) console.log(`\nOne in ${SHARE_DUE} due, 1 worker`);
  for (const all of SIZE.stores) {
    const due = Math.max(LEAST_DUE, all / SHARE_DUE);
    printLine(`of ${all}`, await measureRenewals(folder, { workers: 1, all, due }));
  }
  console.log('\nThe test clock, moved by a year: 12 renewals each');
  printHeads('');
  await printYear(folder, '1, embedded', { isEmbedded: true, count: 1 });
  if (!isShort) await printYear(folder, '1, PostgreSQL', { isEmbedded: false, count: 1 });
  await printYear(folder, `${SIZE.clock}, PostgreSQL`, { isEmbedded: false, count: SIZE.clock });
}

/** The same number is timed of each: a million would take an hour. */
async function printCrowds(folder) {
  const { crowds, passed, counted } = SIZE;
  console.log(
    `\nAll of a store due at once, ${CROWD_WORKERS} workers: ${counted} behind the first ${passed}`,
  );
  const rates = [];
  for (const all of crowds) {
    const rate = await measureCrowd(folder, { workers: CROWD_WORKERS, all, passed, counted });
    rates.push(rate);
    console.log(`  ${String(all).padStart(9)} due  ${rate.toFixed(0).padStart(6)}/s`);
  }
  const [few, many] = rates;
  if (many !== undefined) console.log(`  ratio ${(many / few).toFixed(2)}`);
}

async function printYear(folder, name, { isEmbedded, count }) {
  const { store, service, api, workspaceId } = await openShop(folder, { isEmbedded });
  if (count > 1) await seedSubscriptions(store, { workspaceId, count: count - 1, isOver: false });
  // The first one finds nothing due: code is compiled, connections are opened.
  await api('POST', '/v0/test-clock/advance', { by: { days: 1 } });
  await countStatements(folder, [service]);
  const cpuMs = readCpuMs(service.pid);
  const storeCpuMs = await readStoreMs(store);
  const startedMs = performance.now();
  // In one call; of many subscriptions month by month, since fetch waits five minutes for an answer.
  for (const months of count === 1 ? [12] : Array(12).fill(1)) {
    await api('POST', '/v0/test-clock/advance', { by: { months } });
  }
  const tookMs = performance.now() - startedMs;
  const nodeMs = readCpuMs(service.pid) - cpuMs;
  const storeMs = (await readStoreMs(store)) - storeCpuMs;
  const statements = await countStatements(folder, [service]);
  const { count: sales } = await api('GET', '/v0/payments/list?take=1&returnCount=true');
  printLine(name, { renewals: sales - count, tookMs, nodeMs, storeMs, statements });
  await stop(service.child);
  await store?.drop();
}

function printHeads(name) {
  printCells(name, [
    'renewals',
    'renewals/s',
    'Node CPU ms each',
    'PostgreSQL CPU',
    'statements each',
    'in all s',
  ]);
}

function printLine(name, { renewals, tookMs, nodeMs, storeMs, statements }) {
  const sent = [...statements.values()].reduce((all, count) => all + count, 0);
  const perSecond = (renewals * 1000) / tookMs;
  const cells = [
    String(renewals),
    perSecond.toFixed(0),
    (nodeMs / renewals).toFixed(2),
    (storeMs / renewals).toFixed(2),
  ];
  printCells(name, [...cells, (sent / renewals).toFixed(1), (tookMs / 1000).toFixed(1)]);
  if (!isTold) return;
  const most = [...statements].filter(([, count]) => count > renewals / 10).sort(([, a], [, b]) => b - a);
  for (const [text, count] of most) {
    console.log(`    ${(count / renewals).toFixed(2)} ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 130)}`);
  }
}

function printCells(name, cells) {
  console.log(`  ${name.padEnd(20)}${cells.map((cell) => cell.padStart(18)).join('')}`);
}
