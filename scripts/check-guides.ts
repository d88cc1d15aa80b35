/**
 * Fails on code in a guide that does not say what proves it: `run` (a test runs it as it stands), `type` (a test compiles
 * it), `output` (what the block before it prints), `text` (nothing to prove), or `no-run reason="…"`, of which there are few.
 */
import { readFileSync } from 'node:fs';
import { PROGRAM_FLAGS } from './guide-flags.ts';
import { listFiles, ROOT } from './source-files.ts';

const NO_RUN_MAX = 5;
const WORDS_MAX = 1_500;
const FENCE = /^```(.*)$/;
const NO_RUN = /\bno-run reason="[^"]{10,}"$/;
/** What somebody runs or compiles: of another language it would only be said. */
const PROVED = /^(?:(?:html|js|php|python|sh) run|(?:php|tsx) type|output|text)$/;
const COMMAND = /`(?:npm run|npx counterfoil|counterfoil) ([a-z:]+)(?: -- )?([^`]*)`/g;

export async function checkGuides(): Promise<string[]> {
  const files = ['README.md', ...listFiles('docs/guides', /\.md$/)];
  const pages = files.map((file) => ({ file, text: readFileSync(`${ROOT}/${file}`, 'utf8') }));
  return findUnproved(pages);
}

interface Page {
  file: string;
  text: string;
}

export function findUnproved(pages: readonly Page[]): string[] {
  const unrun = pages.flatMap(({ text }) => listMarks(text).filter((mark) => NO_RUN.test(mark)));
  return [
    ...pages.flatMap(({ file, text }) => findProblems(text).map((problem) => `${file}: ${problem}`)),
    ...(unrun.length > NO_RUN_MAX ? [`${unrun.length} blocks are not run, more than ${NO_RUN_MAX}`] : []),
  ];
}

function findProblems(text: string): string[] {
  const marks = listMarks(text);
  return [
    ...marks
      .filter((mark) => !PROVED.test(mark) && !NO_RUN.test(mark))
      .map((mark) => `a block ("${mark}") does not say what proves it`),
    ...marks
      .filter((mark, at) => mark === 'output' && !marks[at - 1]?.endsWith(' run'))
      .map(() => 'an output stands behind nothing that is run'),
    ...[...text.matchAll(COMMAND)].flatMap(([, command = '', rest = '']) => findUnknown(command, rest)),
    ...(text.split(/\s+/).length > WORDS_MAX ? [`more than ${WORDS_MAX} words`] : []),
  ];
}

/** What stands behind the signs that open a block. */
function listMarks(text: string): string[] {
  const fences = text.split('\n').flatMap((line) => FENCE.exec(line)?.slice(1, 2) ?? []);
  return fences.filter((_, at) => at % 2 === 0);
}

function findUnknown(command: string, rest: string): string[] {
  const known = PROGRAM_FLAGS[command];
  if (known === undefined) return [];
  const flags = [...rest.matchAll(/--([a-z-]+)/g)].map(([, flag = '']) => flag);
  return flags.filter((flag) => !known.includes(flag)).map((flag) => `${command} knows no flag --${flag}`);
}
