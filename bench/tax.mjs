/**
 * `npm run bench:tax [-- --short]`: how many carts are taxed and priced in a second by the sums alone, and how many
 * over POST /v0/tax/calculate. See README.md.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { computeQuote, toTaxRequest } from '../server/src/domain/pricing/quote.ts';
import { decideByTable } from '../server/src/domain/tax/decide-by-table.ts';
import { TAX_TABLE } from '../server/src/domain/tax/table.ts';
import { ask, readCpuMs, startScript, startService, stop } from './children.mjs';
import { isShort, runBench } from './run-bench.mjs';
import { createStore } from './store.mjs';

const SIZE = isShort
  ? { carts: 5_000, requests: 500, rounds: 2 }
  : { carts: 50_000, requests: 3_000, rounds: 5 };
const CONNECTIONS = 8;
const DAY_MS = 86_400_000;

await runBench(async (dataDir) => {
  printSums();
  await printOperation(dataDir);
});

function printSums() {
  const countries = [...new Set(TAX_TABLE.map(({ country }) => country))];
  const categories = ['digital_good', 'software', 'saas'];
  for (const lines of [1, 10]) {
    const carts = Array.from({ length: 500 }, (_, index) => ({
      nowMs: Date.UTC(2026, 10, 21) - index * DAY_MS,
      currency: 'EUR',
      lines: Array.from({ length: lines }, (__, line) => ({
        key: String(line),
        offerId: `offer-${line}`,
        unitPriceMinor: BigInt(999 + index + line),
        quantity: 1 + (line % 3),
        category: categories[line % categories.length],
        taxBehavior: null,
      })),
      pricesIncludeTax: index % 2 === 0,
      sales: [],
      code: null,
      userRedemptions: new Map(),
      buyer: {
        countryCode: countries[index % countries.length],
        state: index % 4 === 0 ? 'QC' : 'TX',
        postalCode: null,
        type: index % 5 === 0 ? 'company' : 'individual',
        taxNumber: index % 5 === 0 ? 'FR40303265045' : null,
        taxNumberValid: null,
      },
      seller: { countryCode: 'DE' },
      taxSettings: { taxCollection: 'everywhere', registrations: [] },
    }));
    const best = Math.max(...Array.from({ length: SIZE.rounds }, () => price(carts)));
    console.log(
      `${lines} lines: ${Math.round(best)} carts/s in one process, ${(1000 / best).toFixed(4)} ms each`,
    );
  }
}

function price(carts) {
  const startedMs = performance.now();
  for (let done = 0; done < SIZE.carts; done += 1) {
    const cart = carts[done % carts.length];
    computeQuote(cart, decideByTable(toTaxRequest(cart)));
  }
  return (SIZE.carts / (performance.now() - startedMs)) * 1000;
}

async function printOperation(dataDir) {
  const store = await createStore();
  const service = await startService({ databaseUrl: store.url, dataDir });
  const { test } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'));
  const headers = {
    'x-svc-public-key': test.publicKey,
    'x-svc-secret-key': test.secretKey,
    'content-type': 'application/json',
  };
  const load = await startScript('load.mjs', { isHello: true });
  const round = {
    origins: [service.origin],
    method: 'POST',
    paths: ['/v0/tax/calculate'],
    headers,
    body: JSON.stringify(await toQuestion(service.origin, headers)),
    connections: CONNECTIONS,
  };
  await ask(load.child, { ...round, requests: SIZE.requests });
  const rounds = [];
  for (let count = 0; count < SIZE.rounds; count += 1) {
    const beforeMs = readCpuMs(service.pid);
    const result = await ask(load.child, { ...round, requests: SIZE.requests });
    rounds.push({ ...result, cpuMs: (readCpuMs(service.pid) - beforeMs) / SIZE.requests });
  }
  const best = rounds.reduce((a, b) => (b.requestsPerSecond > a.requestsPerSecond ? b : a));
  const cpuMs = Math.min(...rounds.map((one) => one.cpuMs));
  console.log(
    `POST /v0/tax/calculate: ${Math.round(best.requestsPerSecond)} requests/s over ${CONNECTIONS} connections, ` +
      `p50 ${best.p50.toFixed(2)} ms, p99 ${best.p99.toFixed(2)} ms, Node CPU ${cpuMs.toFixed(3)} ms`,
  );
  for (const { child } of [load, service]) await stop(child);
}

async function toQuestion(origin, headers) {
  const answer = await fetch(`${origin}/v0/products/create`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ type: 'Game', name: 'Game', offers: [{ price: 2499, currency: 'USD' }] }),
  });
  const body = await answer.json();
  if (answer.status !== 200) throw new Error(`no product could be made: ${JSON.stringify(body)}`);
  const customer = { countryCode: 'CA', state: 'QC', postalCode: 'H2X 1Y4' };
  return { offerId: body.data.offers[0].id, quantity: 3, customer };
}
