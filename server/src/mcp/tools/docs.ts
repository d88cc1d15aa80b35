/** What is written about the product, searched by words. */
import { Type } from 'typebox';
import type { DocPage } from '../../http/docs/library.ts';
import { toLibrary } from '../library.ts';
import { list, object, text } from '../parts.ts';
import { tool } from '../tool.ts';

const FOUND_MAX = 8;
const PART_MAX = 480;

const searchDocs = tool({
  name: 'search_docs',
  title: 'Search the documentation',
  description:
    'Parts of the guides, of the reference of each operation and of the pages of error codes that have the words.',
  kind: 'read',
  areas: [],
  input: Type.Object(
    {
      words: Type.String({
        minLength: 2,
        maxLength: 200,
        description: 'What is looked for, an operation id, or an error code.',
      }),
    },
    { additionalProperties: false },
  ),
  output: object({
    parts: list(
      'parts',
      object({
        resource: text('resource', 'Where the whole page is read: a resource of this server.'),
        title: text('title'),
        part: text('part', 'Where the words stand.'),
      }),
      'The best first.',
    ),
  }),
  run: async ({ caller, args: { words } }) => {
    const asked = [...new Set(words.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])];
    const ranked = toLibrary(caller)
      .pages.map((page) => ({ page, score: toScore(page, asked) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, FOUND_MAX);
    return {
      data: {
        parts: ranked.map(({ page }) => ({
          resource: `docs://${page.kind}/${page.name}`,
          title: page.title,
          part: toPart(page, asked),
        })),
      },
    };
  },
});

/** A word in a name or title counts more than one in the text, and a guide more than a page of the reference. */
function toScore({ kind, name, title, text: whole }: DocPage, words: readonly string[]): number {
  const [named, titled, told] = [name, title, whole].map((one) => one.toLowerCase());
  const scores = words.map((word) => {
    if (named === word) return 50;
    const inName = named?.includes(word) || titled?.includes(word) ? 8 : 0;
    return inName + Math.min(4, (told?.split(word).length ?? 1) - 1);
  });
  const met = scores.filter((score) => score > 0).length;
  return met === 0
    ? 0
    : (scores.reduce((sum, one) => sum + one, 0) * met) / words.length + (kind === 'guides' ? 1 : 0);
}

function toPart({ text: whole }: DocPage, words: readonly string[]): string {
  const lower = whole.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, lower.length) - 120);
  return whole.slice(from, from + PART_MAX);
}

export const DOCS = [searchDocs];
