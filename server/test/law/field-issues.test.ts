/** What the service says of a field stands in German at the fields of the German dashboard. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { listFiles, ROOT } from '../../../scripts/source-files.ts';

const DASHBOARD = new URL('../../../web/dashboard/', import.meta.url);
const textsOf = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(file, DASHBOARD), 'utf8'));

/** The doors of buyers, of assistants and of machines have words of their own. */
const OTHER_DOORS =
  /^server\/src\/(?:pages|portal|mcp|main|http\/description|providers\/files)\/|\/oauth[\w.-]*\.ts$|\.(?:test|testing)\.ts$/;

/** Said of what no form of the dashboard asks for: cards and carts of buyers, and states by their own name. */
const SAID_ELSEWHERE = new Set([
  'is {} now',
  'is {}',
  'of the user {}',
  'is not a valid card number',
  'must be a month and a year, such as 12/35',
  'lies in the past',
  'is not a valid security code',
  'was set by the seller',
  'names words that the page does not have',
  'is not that of the stored card’s owner',
  'could not be checked just now: please try again in a moment',
  'can only be named by whoever is signed in',
  'can only be named of one of your orders',
  'is no plan that this subscription can change to',
  'is no payment by PayPal',
]);

/** By which argument a call says what is wrong. */
const SAYERS: Readonly<Record<string, number>> = {
  invalidField: 1,
  say: 1,
  fault: 2,
  refuse: 1,
  refuseAt: 2,
};
/** Functions that answer with what is wrong. */
const ANSWERERS: Readonly<Record<string, string>> = {
  'server/src/http/errors.ts': 'toSentence',
  'server/src/domain/password.ts': 'findPasswordIssue',
};
const SAYS = new RegExp(`\\bmessage\\b|\\b(?:${Object.keys(SAYERS).join('|')})\\(|findPasswordIssue`);

const HOLE = '{}';

/** All texts that an expression may be; what it is filled with is a hole. */
function textsIn(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map(({ literal }) => HOLE + literal.text).join('')];
  if (ts.isConditionalExpression(node)) return [...textsIn(node.whenTrue), ...textsIn(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return textsIn(node.right);
  return [];
}

const nameOf = (property: ts.ObjectLiteralElementLike) =>
  property.name && ts.isIdentifier(property.name) ? property.name.text : '';

function issuesIn(node: ts.Node): string[] {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    const said = node.arguments[SAYERS[node.expression.text] ?? -1];
    return said ? textsIn(said) : [];
  }
  if (ts.isObjectLiteralExpression(node)) {
    if (!node.properties.some((property) => /^(?:path|field|index)$/.test(nameOf(property)))) return [];
    const said = node.properties.find((property) => nameOf(property) === 'message');
    return said && ts.isPropertyAssignment(said) ? textsIn(said.initializer) : [];
  }
  if (ts.isReturnStatement(node) && node.expression) {
    const within = ts.findAncestor(node, ts.isFunctionDeclaration)?.name?.text ?? '';
    return ANSWERERS[node.getSourceFile().fileName] === within ? textsIn(node.expression) : [];
  }
  return [];
}

function listIssues(): string[] {
  const found = new Set<string>();
  for (const path of listFiles('server/src', /\.ts$/)) {
    if (OTHER_DOORS.test(path)) continue;
    const text = readFileSync(`${ROOT}/${path}`, 'utf8');
    if (!SAYS.test(text)) continue;
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
    const visit = (node: ts.Node): void => {
      for (const issue of issuesIn(node)) found.add(issue);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found].filter((issue) => issue.replaceAll(HOLE, '') !== '');
}

/** Why an address is not reached, which is said of its field. */
function listReasons(): string[] {
  const source = readFileSync(`${ROOT}/server/src/net/address-guard.ts`, 'utf8');
  return [...source.matchAll(/(?:reason:|NOT_PUBLIC =) '([^']+)'/g)].map(([, reason = '']) => reason);
}

/** What may stand in a hole: a count, a currency, a name. */
const FILLS = ['7', 'EUR', 'a name'];

test('D46 the German dashboard says in German what is wrong with a field', async () => {
  const { sayIssue } = (await import(new URL('refusals/issues.ts', DASHBOARD).href)) as {
    sayIssue(message: string, texts: object): string;
  };
  const texts = { english: textsOf('refusals/texts/en.json'), words: textsOf('refusals/texts/de.json') };
  const isSaid = (issue: string) =>
    FILLS.map((fill) => issue.replaceAll(HOLE, fill)).some((message) => sayIssue(message, texts) !== message);
  const issues = [...listIssues(), ...listReasons()];
  expect(issues.length).toBeGreaterThan(150);
  expect(issues.filter((issue) => !isSaid(issue) && !SAID_ELSEWHERE.has(issue))).toEqual([]);
});
