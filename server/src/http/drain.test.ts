import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { stopListening } from './drain.ts';

const TURN_MS = 5;
const LONG_TURN_MS = 40;
const WAITING = 80;
/** Each over a connection of its own, all at once; prints how they ended. */
const ASK_AT_ONCE = `
  const http = require('node:http');
  const [port, count] = process.argv.slice(1).map(Number);
  const ask = () => new Promise((resolve) => {
    http.get({ host: '127.0.0.1', port, agent: false }, (answer) => answer.resume().on('end', () => resolve('done')))
      .on('error', (error) => resolve(error.code));
  });
  Promise.all(Array.from({ length: count }, ask)).then((ends) => {
    const told = {};
    for (const end of ends) told[end] = (told[end] ?? 0) + 1;
    console.log(JSON.stringify(told));
  });
`;

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

it('O02 lets in whoever has connected by then before it stops listening, however many wait', async () => {
  const server = http.createServer((_, answer) => answer.end('done')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let isBusy = true;
  const work = () => {
    const untilMs = performance.now() + LONG_TURN_MS;
    while (performance.now() < untilMs);
    if (isBusy) setImmediate(work);
  };
  // Another process asks: what this one accepts, and how late, is what is tried.
  const asked = spawn(process.execPath, ['-e', ASK_AT_ONCE, String(port), String(WAITING)]);
  let said = '';
  asked.stdout.on('data', (part) => {
    said += part;
  });
  await once(server, 'connection');
  work();
  await stopListening(server);
  isBusy = false;
  expect(server.listening).toBe(false);
  await once(asked, 'close');
  expect(JSON.parse(said)).toEqual({ done: WAITING });
});
