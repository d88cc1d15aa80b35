/** A code that has ended may have been given out anew: the running one is brought along, wherever it stands in the list. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CONVERTERS } from '../src/import/convert-to-file.ts';
import { openSource } from '../src/import/source.ts';
import { createStays } from '../src/import/stays.ts';

type Item = Record<string, unknown>;

async function convert(source: string, list: string, items: readonly Item[]) {
  const folder = await mkdtemp(join(tmpdir(), 'codes-'));
  await writeFile(join(folder, `${list}.jsonl`), items.map((item) => `${JSON.stringify(item)}\n`).join(''));
  const converter = CONVERTERS[source];
  if (!converter) throw new Error(`no converter is called ${source}`);
  const stays = createStays();
  const codes: unknown[] = [];
  for await (const line of converter.convert(await openSource(folder, converter), { stays, nowMs: 0 }))
    if (line.kind === 'discount' && line.code != null) codes.push([line.ref, line.code, line.active]);
  return { codes, stays: stays.list().map(({ code, refs }) => [code, refs]) };
}

const coupon = { id: 'tenth', object: 'coupon', percent_off: 10, duration: 'once' };
const SERVICES: Array<[string, string, (ref: string, code: string, active: boolean) => Item]> = [
  ['stripe', 'promotion_codes', (id, code, active) => ({ id, code, active, coupon })],
  [
    'paddle',
    'discounts',
    (id, code, active) => ({
      ...{ id, code, status: active ? 'active' : 'archived', type: 'percentage', amount: '10' },
    }),
  ],
  [
    'lemonsqueezy',
    'discounts',
    (id, code, active) => ({
      ...{ type: 'discounts', id },
      attributes: { code, amount: 10, amount_type: 'percent', status: active ? 'published' : 'draft' },
    }),
  ],
];

it.each(SERVICES)(
  'X41 %s brings of one code the running one, or else the first',
  async (source, list, toItem) => {
    const { codes, stays } = await convert(source, list, [
      toItem('1', 'SALE', false),
      toItem('2', 'sale', true),
      toItem('3', 'GONE', false),
      toItem('4', 'GONE', false),
    ]);
    expect(codes).toEqual([
      ['2', 'sale', true],
      ['3', 'GONE', false],
    ]);
    expect(stays).toEqual([['code_again', ['1', '4']]]);
  },
);
