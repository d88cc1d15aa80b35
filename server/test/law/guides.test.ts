import { expect, it } from 'vitest';
import { findMissing } from '../../../scripts/check-docs.ts';
import { checkGuides, findUnproved } from '../../../scripts/check-guides.ts';

const block = (mark: string) => `\`\`\`${mark}\nsomething\n\`\`\`\n`;
const find = (text: string) => findUnproved([{ file: 'g.md', text }]);

it('X38 all code of the guides says what proves it', async () => {
  expect(await checkGuides()).toEqual([]);
});

it('X38 fails on a block that is unmarked, or not run without a reason', () => {
  expect(find(block('sh run') + block('output') + block('tsx type') + block('text'))).toEqual([]);
  for (const mark of ['', 'js', 'sh no-run', 'sh no-run reason=""', 'js ran', 'ruby run', 'js type'])
    expect(find(block(mark))).toEqual([`g.md: a block ("${mark}") does not say what proves it`]);
  expect(find(block('text') + block('output'))).toEqual([
    'g.md: an output stands behind nothing that is run',
  ]);
  const unrun = block('sh no-run reason="it goes on running"');
  expect(find(unrun.repeat(5))).toEqual([]);
  expect(find(unrun.repeat(6))).toEqual(['6 blocks are not run, more than 5']);
});

it('X38 fails on a dead link, and on a flag that there is not', () => {
  expect(find('`npm run keys -- create --live --open`')).toEqual([]);
  expect(find('`counterfoil keys create --alive`')).toEqual(['g.md: keys knows no flag --alive']);
  expect(findMissing('docs/guides/g.md', '[there](quick-start.md) [not](nowhere.md)')).toEqual([
    'docs/guides/g.md names nowhere.md, which is not there',
  ]);
});
