import { once } from 'node:events';
import http from 'node:http';
import { expect, it } from 'vitest';
import { stopListening } from './drain.ts';

const TURN_MS = 5;

it('O02 stops listening on a busy machine, too: no turn of it is quiet, and it waits for none', async () => {
  const server = http.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  let isBusy = true;
  const work = () => {
    const untilMs = performance.now() + TURN_MS;
    while (performance.now() < untilMs);
    if (isBusy) setImmediate(work);
  };
  work();
  const fromMs = performance.now();
  await stopListening(server);
  isBusy = false;
  expect(server.listening).toBe(false);
  expect(performance.now() - fromMs).toBeLessThan(5_000);
});
