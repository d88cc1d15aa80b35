/**
 * Merchants' receivers, in a process of their own: one HTTP server per port, which answers 200 and notes when what
 * arrived. `hang` makes all but the first silent.
 */
import { createServer } from 'node:http';

const servers = [];
let arrivals = new Map();
let waiting = null;

// A bench that was killed leaves it alone.
process.once('disconnect', () => process.exit());
process.on('message', (message) => {
  answer(message).then(
    (result) => process.send(result),
    (error) => process.send({ error: String(error) }),
  );
});

async function answer({ verb, count, hangs }) {
  if (verb === 'open') return { urls: await Promise.all(Array.from({ length: count }, () => open(hangs))) };
  if (verb === 'reset') {
    arrivals = new Map();
    return { isReset: true };
  }
  if (verb === 'await') return awaitArrivals(count);
  return { arrivals: [...arrivals] };
}

async function open(hangs) {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (hangs) return;
      arrivals.set(request.headers['webhook-id'], Date.now());
      response.end();
      if (waiting && arrivals.size >= waiting.count) waiting.done();
    });
  });
  server.keepAliveTimeout = 60_000;
  servers.push(server);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}/hook`;
}

/** Answers when so many different events have arrived, with the moment of the last. */
async function awaitArrivals(count) {
  if (arrivals.size < count) {
    await new Promise((resolve) => {
      waiting = { count, done: resolve };
    });
    waiting = null;
  }
  return { lastMs: Math.max(...arrivals.values()) };
}
