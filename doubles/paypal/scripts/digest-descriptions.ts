/** `node --import ./scripts/typescript.mjs doubles/paypal/scripts/digest-descriptions.ts FOLDER`: writes the digest anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { COMPARED, toDigest } from '../test/support/digest.ts';

const [folder = '.'] = process.argv.slice(2);
const digests = Object.entries(COMPARED).map(([name, [file, schema]]) => {
  const { components } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
  return [name, toDigest(components.schemas, schema)];
});
const path = new URL('../test/descriptions.digest.json', import.meta.url);
writeFileSync(path, `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`);
