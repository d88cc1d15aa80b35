/** The dashboard knows by name what the service makes up: a name that it lacks stands in English in the German one. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { JOB_KINDS } from '../../src/domain/due-work.ts';
import { KEY_AREAS } from '../../src/domain/key-scopes.ts';
import { ACCOUNTS } from '../../src/domain/ledger/entries.ts';
import { MAIL_KINDS } from '../../src/domain/mails/kinds.ts';

const DASHBOARD = new URL('../../../web/dashboard/', import.meta.url);
const named = ['texts/de.json', 'app/texts/de.json', 'work/texts/de.json'].flatMap((file) =>
  Object.keys(JSON.parse(readFileSync(new URL(file, DASHBOARD), 'utf8'))),
);
const lacks = (prefix: string, names: readonly string[]) =>
  names.filter((name) => !named.includes(prefix + name));

describe('D46 the German dashboard names', () => {
  test.each([
    ['kinds of mails', 'mail.', MAIL_KINDS],
    ['kinds of due work', 'work.', Object.keys(JOB_KINDS)],
    ['accounts of the ledger', 'ledger.', ACCOUNTS],
    ['areas of scopes', 'area.', KEY_AREAS],
  ])('all %s', (_of, prefix, names) => expect(lacks(prefix, names)).toEqual([]));

  test('all kinds of entries that are posted', () => {
    const source = readFileSync(
      new URL('../../src/flows/accounting/post-to-ledger.ts', import.meta.url),
      'utf8',
    );
    const kinds = [...source.matchAll(/\bkind: '(\w+)'/g)].map(([, kind]) => kind ?? '');
    expect(kinds.length).toBeGreaterThan(10);
    expect(lacks('entry.', kinds)).toEqual([]);
  });
});

test('the form of a key pair offers a scope of each area that there is', async () => {
  const { SCOPES } = (await import(new URL('forms/roles.ts', DASHBOARD).href)) as { SCOPES: string[] };
  expect([...new Set(SCOPES.map((scope) => scope.split(':')[0]))].sort()).toEqual(KEY_AREAS);
});
