/** The description of the API and its examples, as they are committed: what the commands are made of. */
import { readFileSync } from 'node:fs';
import type { Described } from './src/operations.ts';

export function readDescribed(): Described {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../docs/${name}.json`, import.meta.url), 'utf8'));
  return { description: read('openapi'), examples: read('openapi-examples') };
}
