/** Fails on a path that the docs name and the repository does not have, and on a setting that nobody reads. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SETTING_NAMES } from '../server/src/config-list.ts';
import { FLOORS } from './import-rules.ts';
import { listFiles, ROOT } from './source-files.ts';

const DOCS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs',
  'bench',
  'server',
  'web',
];
/** Pages that this repository does not hold: a comment that cites one cannot be followed. */
const ELSEWHERE =
  /\b(behaviour|contract|reliability|seed|security|storefront|dashboard|processors|operations|tools|house|house-2|stack)\.md\b/;
const COMMENTED = /\.(ts|tsx|mjs|sql|css)$/;

/** The first part of everything that is taken for a path of ours: `server/src/flows`, not `and/or`. */
const TOPS = /^(server|web|scripts|docs|bench|deploy|\.ci)\/|^[A-Za-z.-]+\.(md|json|example)$/;
/** There once it is built. */
const BUILT = /^(server|web)\/dist\b/;
const LINK = /\]\(([^)\s]+)\)/g;
const CODE = /`([^`\s]+)`/g;

export async function checkDocs(): Promise<string[]> {
  const files = DOCS.flatMap((under) => listFiles(under, /\.md$/));
  const sources = ['server', 'web', 'scripts', 'bench'].flatMap((under) => listFiles(under, COMMENTED));
  return [
    ...sources
      .filter((file) => file !== 'scripts/check-docs.ts')
      .flatMap((file) => findCitations(file, readFileSync(`${ROOT}/${file}`, 'utf8'))),
    ...findRoomsWithoutPage(),
    ...files.flatMap((file) => findMissing(file, readFileSync(`${ROOT}/${file}`, 'utf8'))),
    ...findUnread(readFileSync(`${ROOT}/server/src/config.ts`, 'utf8'), SETTING_NAMES),
  ];
}

/** Rules are said where a reader finds them: in the comment, or on a page of `docs`. */
export function findCitations(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const cited = ELSEWHERE.exec(line)?.[0];
    return cited && !line.includes(`/${cited}`)
      ? [`${file}:${index + 1} cites ${cited}, which is not there`]
      : [];
  });
}

const PAGE_LINES_MAX = 30;

/** Each room of the flows says on one page what it owns. */
function findRoomsWithoutPage(): string[] {
  return FLOORS.flat().flatMap((room) => {
    const page = `server/src/flows/${room}/README.md`;
    if (!existsSync(`${ROOT}/${page}`)) return [`${page} is missing: what the room owns, and what not`];
    const lines = readFileSync(`${ROOT}/${page}`, 'utf8').split('\n').length - 1;
    return lines > PAGE_LINES_MAX ? [`${page}: ${lines} lines, more than ${PAGE_LINES_MAX}`] : [];
  });
}

/** Links are relative to their file; a path in code is relative to the root, and may hold `*` or `<…>`. */
export function findMissing(file: string, text: string): string[] {
  const links = [...text.matchAll(LINK)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => ({ named: target, full: path.posix.join(path.posix.dirname(file), target) }));
  const codes = [...text.matchAll(CODE)]
    .map(([, named = '']) => ({ named, full: named.replace(/\/?[*<{:].*$/, '') }))
    .filter(({ full }) => TOPS.test(full) && !BUILT.test(full));
  return [...links, ...codes]
    .filter(({ full }) => !existsSync(`${ROOT}/${full}`))
    .map(({ named }) => `${file} names ${named}, which is not there`);
}

/** The settings of the list that `config.ts` does not read; one that it reads and the list lacks does not compile. */
export function findUnread(config: string, settings: readonly string[]): string[] {
  return settings
    .filter((name) => !new RegExp(`\\benv,\\s*'${name}'`).test(config) && !config.includes(`env.${name}`))
    .map((name) => `the list of settings names ${name}, which nobody reads`);
}
