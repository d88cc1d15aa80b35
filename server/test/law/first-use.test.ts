/** What a store without a processor pays for processors. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));

it("P47 the processor's client is loaded at its first use alone", () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.(test|testing)\.ts$/.test(file),
  );
  const naming = files.flatMap((file) => {
    const text = readFileSync(`${SOURCES}/${file}`, 'utf8');
    const lines = text.match(/^.*['"]stripe['"].*$/gm) ?? [];
    return lines
      .filter((line) => /\b(import|require)\b/.test(line))
      .map((line) => [file, line.trim()] as const);
  });
  const values = naming.filter(([, line]) => !line.startsWith('import type '));
  expect(values).toEqual([
    ['providers/payment/stripe/sdk-pool.ts', "const { default: Sdk } = await import('stripe');"],
  ]);
  expect(naming.length).toBeGreaterThan(values.length);
});
