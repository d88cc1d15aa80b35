/**
 * The load, in a process of its own: a fixed number of requests over a fixed number of connections, each
 * sent when the one before it was answered. Any answer that is not 2xx ends the bench.
 */
import { Client } from 'undici';

const clients = new Map();

// A bench that was killed leaves it alone.
process.once('disconnect', () => process.exit());
process.on('message', (round) => {
  if (round.isHello) process.send({ isReady: true });
  else {
    run(round).then(
      (result) => process.send(result),
      (error) => process.send({ error: String(error) }),
    );
  }
});

/** `paths` are asked for in turn; `body` may hold `$n`, which becomes a number that no request had before. */
async function run({ origins, method, paths, headers, body, requests, connections }) {
  const latencies = [];
  let sent = 0;
  const one = async (client) => {
    while (sent < requests) {
      const path = paths[sent % paths.length];
      sent += 1;
      const startedMs = performance.now();
      const answer = await client.request({
        method,
        path,
        headers,
        ...(body ? { body: body.replaceAll('$n', nextNumber()) } : {}),
      });
      if (answer.statusCode >= 300) {
        throw new Error(`${method} ${path} answered ${answer.statusCode}: ${await answer.body.text()}`);
      }
      await answer.body.arrayBuffer();
      latencies.push(performance.now() - startedMs);
    }
  };
  const startedMs = performance.now();
  await Promise.all(openClients(origins, connections).map(one));
  const seconds = (performance.now() - startedMs) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    requestsPerSecond: requests / seconds,
    p50: at(latencies, 0.5),
    p95: at(latencies, 0.95),
    p99: at(latencies, 0.99),
  };
}

let number = 0;

function nextNumber() {
  number += 1;
  return `${process.pid}-${number}`;
}

/** Kept from round to round, as a client keeps its connections; shared out over the origins. */
function openClients(origins, count) {
  const places = Array.from({ length: count }, (_, index) => origins[index % origins.length]);
  const taken = new Map();
  return places.map((origin) => {
    const kept = clients.get(origin) ?? [];
    clients.set(origin, kept);
    const place = taken.get(origin) ?? 0;
    taken.set(origin, place + 1);
    kept[place] ??= new Client(origin);
    return kept[place];
  });
}

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
