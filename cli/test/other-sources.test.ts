/** Services call their lists alike: what one of them lists is not taken for another's. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CONVERTERS, convertToFile } from '../src/import/convert-to-file.ts';

const folderOf = (name: string) => fileURLToPath(new URL(`fixtures/import/${name}`, import.meta.url));
const OTHERS = Object.keys(CONVERTERS).flatMap((source) =>
  ['stripe', 'paddle', 'lemonsqueezy'].flatMap((folder) =>
    folder === source ? [] : [[source, folder] as const],
  ),
);

async function convert(source: string, from: string): Promise<number> {
  const converter = CONVERTERS[source];
  if (!converter) throw new Error(`no converter is called ${source}`);
  const to = join(await mkdtemp(join(tmpdir(), 'other-')), 'lines.jsonl');
  const { signal } = new AbortController();
  const { lines } = await convertToFile({ converter, from, to, nowMs: 0, signal, tell: () => {} });
  // The first says what it is.
  return lines - 1;
}

it.each(OTHERS)(
  'X41 import %s refuses the folder of %s by name, or finds nothing in it',
  async (source, folder) => {
    const found = await convert(source, folderOf(folder)).catch((error: Error) => {
      expect(error).toMatchObject({ code: 'other_source', exit: 2 });
      expect(error.message).toContain(
        `holds what ${folder} lists, not ${source}: counterfoil import ${folder}`,
      );
      return 0;
    });
    expect(found).toBe(0);
  },
);

it('X41 takes what was listed by hand, without the word that would tell it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'by-hand-'));
  await writeFile(join(folder, 'customers.jsonl'), '{"id":"cus_1","email":"ada@example.com"}\n');
  for (const source of ['stripe', 'paddle']) expect(await convert(source, folder)).toBe(1);
});
