/**
 * Writes `test/fixtures.digest.json`, the keys and JSON types of Stripe's published fixtures:
 * `node --import ./scripts/typescript.mjs doubles/stripe/scripts/digest-fixtures.ts fixtures3.json`
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readDigest } from '../test/support/digest.ts';

const [file = ''] = process.argv.slice(2);
const digest = readDigest(readFileSync(file, 'utf8'));
writeFileSync(
  new URL('../test/fixtures.digest.json', import.meta.url),
  `${JSON.stringify(digest, null, 2)}\n`,
);
