/** The dashboard knows by name what the service makes up: a name that it lacks stands in English in the German one. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { JOB_KINDS } from '../../src/domain/due-work.ts';
import { ERRORS } from '../../src/domain/errors.ts';
import { METRICS } from '../../src/domain/figures/metrics.ts';
import { KEY_AREAS } from '../../src/domain/key-scopes.ts';
import { ACCOUNTS } from '../../src/domain/ledger/entries.ts';
import { MAIL_KINDS } from '../../src/domain/mails/kinds.ts';

const DASHBOARD = new URL('../../../web/dashboard/', import.meta.url);
const textsOf = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(file, DASHBOARD), 'utf8'));
const named = ['texts/de.json', 'app/texts/de.json', 'work/texts/de.json'].flatMap((file) =>
  Object.keys(textsOf(file)),
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

/** A formula of the API's, with what it names called as the screens call it. */
function toShown(formula: string): string {
  const metrics = textsOf('app/texts/en.json');
  const accounts = textsOf('work/texts/en.json');
  const account = (name: string) => `"${accounts[`ledger.${name}`]}"`;
  return formula
    .replace(
      /\b(sales|refunds) and tax_payable/,
      (_, other) => `${account(other)} and ${account('tax_payable')}`,
    )
    .replace(/\btax_payable/, account('tax_payable'))
    .replaceAll(/\b(mrr|[a-z]+[A-Z]\w+)\b|\brefunds(?= [−/])/g, (name) => metrics[`metric.${name}`] ?? name)
    .replace(/− fees$/, `− ${metrics['metric.fees']}`);
}

test('D46 says how a figure is computed in every language, in English as the API does, by the names on the screens', () => {
  const told = Object.entries(METRICS).flatMap(([metric, { formula, sentence }]) => [
    [`formula.${metric}`, toShown(formula)],
    [`sentence.${metric}`, sentence],
  ]);
  expect(textsOf('home/texts/en.json')).toEqual(Object.fromEntries(told));
  expect(Object.keys(textsOf('home/texts/de.json')).sort()).toEqual(told.map(([key]) => key).sort());
});

test('D46 says every refusal in every language, in English as the API does', () => {
  const told = Object.entries(ERRORS).map(([code, { message }]) => [`refusal.${code}`, message]);
  expect(textsOf('refusals/texts/en.json')).toMatchObject(Object.fromEntries(told));
  const others = Object.keys(textsOf('refusals/texts/de.json')).filter((key) => !key.startsWith('issue.'));
  expect(others.sort()).toEqual(told.map(([key]) => key).sort());
});

test('the form of a key pair offers a scope of each area that there is', async () => {
  const { SCOPES } = (await import(new URL('forms/roles.ts', DASHBOARD).href)) as { SCOPES: string[] };
  expect([...new Set(SCOPES.map((scope) => scope.split(':')[0]))].sort()).toEqual(KEY_AREAS);
});
