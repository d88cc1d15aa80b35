/** `THIRD-PARTY-NOTICES.md`: whose work a package of ours holds, and under what terms. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../source-files.ts';

const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

interface Manifest {
  name: string;
  version: string;
  license?: string | { type: string };
  author?: string | { name?: string };
}

/** Of packages by their folders in node_modules. */
export function makeNotices(folders: readonly string[]): string {
  const parts = [...new Set(folders)].map(describe).sort((a, b) => (a.title < b.title ? -1 : 1));
  return [
    '# Third-party notices',
    '',
    'Counterfoil holds work of others, which stays under the terms of each. It is listed by the package that it was taken from.',
    ...parts.flatMap(({ title, texts }) => ['', `## ${title}`, ...texts.flatMap((text) => ['', text])]),
    '',
  ].join('\n');
}

function describe(folder: string): { title: string; texts: string[] } {
  const at = path.join(ROOT, 'node_modules', folder);
  const { name, version, license, author } = JSON.parse(
    readFileSync(path.join(at, 'package.json'), 'utf8'),
  ) as Manifest;
  const terms = typeof license === 'object' ? license.type : license;
  const files = existsSync(at)
    ? readdirSync(at)
        .filter((file) => LICENSE_FILE.test(file))
        .sort()
    : [];
  const texts = files
    .map((file) => readFileSync(path.join(at, file), 'utf8').trim())
    .map((text) =>
      text
        .split('\n')
        .map((line) => `    ${line}`.trimEnd())
        .join('\n'),
    );
  const maker = typeof author === 'object' ? author.name : author;
  if (terms === undefined && texts.length === 0)
    throw new Error(`${name} says no terms: it cannot go into a package`);
  return {
    title: `${name} ${version} (${terms ?? 'see below'})`,
    texts:
      texts.length > 0 ? texts : [`Its package holds no text of the license; by ${maker ?? 'its authors'}.`],
  };
}
