/** Rounds of load on several servers, which take turns, so that a busy moment of the machine meets all. */
import { setTimeout as delay } from 'node:timers/promises';
import { ask, readCpuMs } from './children.mjs';

/** What is done after the answers of a change counts, too. */
const AFTER_MS = 300;

/**
 * The best of each server by its name. A server: `{name, origins, pids, applicationName}`, and where it is asked something of
 * its own `round`; `measuring`: `{store, load, rounds, connections}`; a scenario: `{round, requests, isChange}`.
 */
export async function measure({ servers, scenario, measuring }) {
  const best = new Map();
  // The first round warms up: code is compiled, connections are opened, pages are read.
  for (let count = 0; count <= measuring.rounds; count += 1) {
    for (const server of servers) {
      const result = await runRound(server, { scenario, measuring });
      if (count > 0) best.set(server.name, toBest(best.get(server.name), result));
    }
  }
  return best;
}

async function runRound(server, { scenario, measuring }) {
  const { round, requests, isChange } = scenario;
  const { store, load, connections } = measuring;
  const before = await readCpu(server, store);
  const answered = await ask(load, {
    ...(server.round ?? round),
    origins: server.origins,
    requests,
    connections,
  });
  if (isChange) await delay(AFTER_MS);
  const after = await readCpu(server, store);
  const stores = [...after.stores].reduce((sum, [pid, ms]) => sum + ms - (before.stores.get(pid) ?? 0), 0);
  return { ...answered, nodeMs: (after.node - before.node) / requests, storeMs: stores / requests };
}

async function readCpu({ pids, applicationName }, store) {
  const backends = await store.listBackends(applicationName);
  return {
    node: pids.reduce((sum, pid) => sum + readCpuMs(pid), 0),
    stores: new Map(backends.map((backend) => [backend, readCpuMs(backend)])),
  };
}

/** Each figure of the round that was disturbed least: of CPU the least, of the rest what the fastest round had. */
function toBest(best, result) {
  if (!best) return result;
  const faster = result.requestsPerSecond > best.requestsPerSecond ? result : best;
  return {
    ...faster,
    nodeMs: Math.min(best.nodeMs, result.nodeMs),
    storeMs: Math.min(best.storeMs, result.storeMs),
  };
}
