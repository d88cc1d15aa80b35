/** Fails on a file or function that is longer than the house allows. Style sheets are lists, not read whole. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { listFiles, ROOT } from './source-files.ts';

const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;

/** Files that are lists, which nobody reads from top to bottom. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'server/src/providers/payment/sandbox/sandbox.test.ts': 'every card of the sandbox, a chapter each',
  'server/test/journeys/event-sequences.test.ts': 'what every change of a sale tells, a chapter each',
  'server/src/db/schema.sql': 'generated from the catalogue of a migrated store',
};

export async function checkSizes(): Promise<string[]> {
  const sources = ['server', 'web', 'embed', 'sdk', 'cli', 'doubles', 'scripts', 'bench']
    .flatMap((folder) => listFiles(folder, /\.(ts|tsx|mjs|sql)$/))
    // Held by its generator.
    .filter((file) => !file.startsWith('sdk/src/generated/'));
  return [
    ...sources.flatMap((file) => findLong(file, readFileSync(`${ROOT}/${file}`, 'utf8'))),
    ...Object.keys(LONG_FILES)
      .filter((file) => !sources.includes(file))
      .map((file) => `scripts/check-sizes.ts: there is no ${file}`),
  ];
}

/**
 * What is too long in one source. A function that holds others is measured without them: a hook or a factory is
 * read like a file of small functions. A test's `describe` is a chapter, not a function.
 */
export function findLong(file: string, text: string): string[] {
  const lines = text.split('\n').length - 1;
  const problems: string[] = [];
  if (lines > FILE_LINES_MAX && !(file in LONG_FILES)) {
    problems.push(`${file}: ${lines} lines, more than ${FILE_LINES_MAX}`);
  }
  if (!/\.(tsx?|mjs)$/.test(file)) return problems;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** Answers the lines of the functions within the node. */
  const visit = (node: ts.Node): number => {
    let held = 0;
    ts.forEachChild(node, (child) => {
      held += visit(child);
    });
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return held;
    const firstLine = toLine(source, node.getStart(source));
    const length = toLine(source, node.getEnd()) - firstLine + 1;
    const own = length - held;
    if (own > FUNCTION_LINES_MAX && !isChapter(node)) {
      problems.push(`${file}:${firstLine}: a function of ${own} lines, more than ${FUNCTION_LINES_MAX}`);
    }
    return length;
  };
  visit(source);
  return problems;
}

function isChapter(node: ts.Node): boolean {
  const call = node.parent;
  if (!call || !ts.isCallExpression(call) || !call.arguments.some((argument) => argument === node))
    return false;
  return /^describe\b/.test(call.expression.getText());
}

function toLine(source: ts.SourceFile, position: number): number {
  return source.getLineAndCharacterOfPosition(position).line + 1;
}
