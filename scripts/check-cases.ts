/** Lists the numbered cases that no test bears in its title; those of a complete series fail the check. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { CASE_SERIES, type CaseSeries } from './case-numbers.ts';
import { listFiles, ROOT } from './source-files.ts';

const TESTS = /\.test\.tsx?$|\.spec\.ts$/;
const TITLED = new Set(['it', 'test', 'describe']);

export interface CasesFound {
  problems: string[];
  /** One line for each series that has gaps and may have them. */
  notes: string[];
}

export async function checkCases(): Promise<CasesFound> {
  const titles = listFiles('.', TESTS).flatMap((file) =>
    readTitles(file, readFileSync(`${ROOT}/${file}`, 'utf8')),
  );
  return findUntested(titles, CASE_SERIES);
}

export function findUntested(titles: readonly string[], series: readonly CaseSeries[]): CasesFound {
  const borne = new Set(titles.flatMap((title) => title.match(/\b[A-Z]\d{2}\b/g) ?? []));
  const found: CasesFound = { problems: [], notes: [] };
  for (const { letter, count, about, isComplete } of series) {
    const numbers = Array.from(
      { length: count },
      (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`,
    );
    const missing = numbers.filter((number) => !borne.has(number));
    if (missing.length === 0) continue;
    const line = `${missing.length} of ${count} cases of ${about} have no test: ${missing.join(' ')}`;
    (isComplete ? found.problems : found.notes).push(line);
  }
  return found;
}

/** The titles of a source's tests and chapters, those of `it.each(…)` too. */
export function readTitles(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    const [title] = ts.isCallExpression(node) ? node.arguments : [];
    if (title && ts.isCallExpression(node) && TITLED.has(toName(node.expression))) {
      if (ts.isStringLiteralLike(title)) titles.push(title.text);
      else if (ts.isTemplateExpression(title)) titles.push(title.getText(source));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** `it` of `it(…)`, `it.skipIf(…)(…)` and `it.each(…)(…)`. */
function toName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression)) {
    return toName(expression.expression);
  }
  return ts.isTaggedTemplateExpression(expression) ? toName(expression.tag) : '';
}
