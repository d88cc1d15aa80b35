/** Fails on a table that `docs/design/growth.md` does not name: nobody has said what bounds it. */
import { readFileSync } from 'node:fs';
import { ROOT } from './source-files.ts';

const PAGE = 'docs/design/growth.md';

export async function checkGrowth(): Promise<string[]> {
  return findUnbounded(
    readFileSync(`${ROOT}/server/src/db/schema.sql`, 'utf8'),
    readFileSync(`${ROOT}/${PAGE}`, 'utf8'),
  );
}

/** Compares the tables of a schema's text with those that a page names, in the first column of its tables. */
export function findUnbounded(schema: string, page: string): string[] {
  const tables = [...schema.matchAll(/^create (?:unlogged )?table ([a-z_]+)/gim)].map(
    ([, name = '']) => name,
  );
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const named = new Map(
    rows.flatMap((row) => {
      const [, names = '', ...rest] = row.split('|').map((cell) => cell.trim());
      const isBounded = rest.filter((cell) => cell !== '').length > 0;
      return [...names.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => [name, isBounded] as const);
    }),
  );
  return [
    ...tables.filter((name) => !named.get(name)).map((name) => `${PAGE} does not say what bounds ${name}`),
    ...[...named.keys()]
      .filter((name) => !tables.includes(name))
      .map((name) => `${PAGE} names ${name}, which the store does not have`),
  ];
}
