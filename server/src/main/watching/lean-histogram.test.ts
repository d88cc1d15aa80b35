import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { LeanHistogram } from './lean-histogram.ts';

const BUCKETS = [0.005, 0.1, 1, 2.5, 10];
const LABELS = ['tag', 'method'];

/** Its lines, whatever the order of series and of their labels. */
async function readLines(registry: Registry): Promise<string[]> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '');
  return lines
    .map((line) => line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`))
    .sort();
}

it("O42 writes the series that prom-client's own would", async () => {
  const label = fc.constantFrom('orders', 'a "quoted" one', 'none');
  const seconds = fc.oneof(fc.constantFrom(...BUCKETS, 0), fc.double({ min: 0, max: 20, noNaN: true }));
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 2 }),
      fc.array(fc.tuple(seconds, label, label), { maxLength: 40 }),
      async (count, observed) => {
        const labelNames = LABELS.slice(0, count);
        const [ours, theirs] = [new Registry(), new Registry()];
        const options = { name: 'took_seconds', help: 'How long it took.', labelNames, buckets: BUCKETS };
        const lean = new LeanHistogram({ ...options, registers: [ours] });
        const full = new Histogram({ ...options, registers: [theirs] });
        for (const [value, ...labels] of observed) {
          const given = labels.slice(0, count);
          lean.observe(value, ...given);
          full.observe(
            Object.fromEntries(labelNames.map((name, place) => [name, given[place] ?? ''])),
            value,
          );
        }
        expect(await readLines(ours)).toEqual(await readLines(theirs));
      },
    ),
  );
});
