/** Fails on an import against the direction of the layers, on a cycle, and on a barrel file. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { FLOORS, type ImportRule, RULES } from './import-rules.ts';
import { listFiles, ROOT } from './source-files.ts';

const SERVER = 'server/src/';
const TEST = /\.test\.tsx?$|\.property\.test\.ts$/;
/** What a test runs, beside the file that it tests. */
const TEST_PARTS = /\.testing\.ts$/;

export interface Import {
  /** Path from the root. */
  from: string;
  /** Path from the root, or the name of a package or Node module. */
  to: string;
  isOurs: boolean;
  isTypeOnly: boolean;
}

/** What a shop's page and the checkout in its frame say to each other: both sides are built of it. */
const PROTOCOL = 'embed/src/protocol.ts';

export async function checkImports(): Promise<string[]> {
  const files = [
    ...listFiles('server', /\.ts$/),
    ...listFiles('web', /\.tsx?$/),
    ...listFiles('embed', /\.tsx?$/),
  ];
  const imports = files.flatMap((file) => readImports(file, readFileSync(`${ROOT}/${file}`, 'utf8')));
  return [
    ...findWrongDirections(imports),
    ...findEmptyRooms(imports),
    ...findCycles(imports),
    ...files.filter((file) => /\/index\.tsx?$/.test(file)).map((file) => `${file}: no barrel files`),
  ];
}

/** All imports and re-exports of a source, in its order. */
export function readImports(file: string, text: string): Import[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    const name = toModuleName(node);
    if (name !== null) found.push(toImport(file, name, isTypeOnly(node)));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function toModuleName(node: ts.Node): string | null {
  const isDeclaration = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
  if (isDeclaration && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return node.moduleSpecifier.text;
  }
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return null;
  const [name] = node.arguments;
  return name && ts.isStringLiteral(name) ? name.text : null;
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  if (!ts.isImportDeclaration(node)) return false;
  const clause = node.importClause;
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  if (clause.name || !names || !ts.isNamedImports(names)) return false;
  return names.elements.length > 0 && names.elements.every((element) => element.isTypeOnly);
}

function toImport(file: string, name: string, typeOnly: boolean): Import {
  const isOurs = name.startsWith('.');
  const to = isOurs ? path.posix.join(path.posix.dirname(file), name) : name;
  return { from: file, to, isOurs, isTypeOnly: typeOnly };
}

export function findWrongDirections(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from }) => !TEST.test(from) && !TEST_PARTS.test(from))
    .flatMap((one) => {
      const why = findRefusal(one);
      if (why === null) return [];
      return [`${one.from} must not import ${one.to}${one.isTypeOnly ? ' (types)' : ''}${why}`];
    });
}

/** Why the import is refused: the floors, or nothing that its place does not say. Null = it may be. */
function findRefusal(one: Import): string | null {
  const { from, to, isOurs } = one;
  // The web and the server share nothing but HTTP; tests may reach whatever they test.
  if (!from.startsWith(SERVER)) {
    if (to === PROTOCOL && from.startsWith('web/checkout/')) return null;
    return !isOurs || from.split('/')[0] === to.split('/')[0] || isTest(from) ? null : '';
  }
  const file = from.slice(SERVER.length);
  const rule = RULES.find((candidate) => candidate.files.test(file));
  if (!rule) return '';
  if (!isOurs) return rule.packages === undefined || rule.packages.includes(toPackage(to)) ? null : '';
  if (!to.startsWith(SERVER) || TEST.test(to) || !isAllowedByRule(rule, one)) return '';
  return findWrongFloor(file, to.slice(SERVER.length));
}

function isTest(file: string): boolean {
  return file.startsWith('server/test/');
}

function isAllowedByRule(rule: ImportRule, { to, isTypeOnly: typeOnly }: Import): boolean {
  const target = to.slice(SERVER.length);
  if (rule.never?.test(target)) return false;
  const may = typeOnly ? [...rule.may, ...(rule.mayForTypes ?? [])] : rule.may;
  return may.some((pattern) => pattern.test(target));
}

function findWrongFloor(from: string, to: string): string | null {
  const own = toRoom(from);
  const other = toRoom(to);
  if (own === null || other === null || own === other) return null;
  const isBelow = toFloor(other) !== null && (toFloor(other) ?? 0) < (toFloor(own) ?? 0);
  return isBelow ? null : `: ${own} is on floor ${toFloor(own)}, ${other} on floor ${toFloor(other)}`;
}

function toRoom(file: string): string | null {
  return /^flows\/([^/]+)\//.exec(file)?.[1] ?? null;
}

/** From 1, the ground; null for a room that the list does not name. */
function toFloor(room: string): number | null {
  const index = FLOORS.findIndex((rooms) => rooms.includes(room));
  return index === -1 ? null : index + 1;
}

function toPackage(name: string): string {
  if (name.startsWith('node:')) return name;
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

/** Each room has its floor, and each floor its rooms: a list that names what is not there is not read. */
function findEmptyRooms(imports: readonly Import[]): string[] {
  const rooms = new Set(
    imports
      .filter(({ from }) => from.startsWith(SERVER))
      .map(({ from }) => toRoom(from.slice(SERVER.length))),
  );
  const named = FLOORS.flat();
  return [
    ...named
      .filter((room) => !rooms.has(room))
      .map((room) => `scripts/import-rules.ts: there is no room ${room}`),
    ...[...rooms]
      .filter((room) => room !== null && !named.includes(room))
      .map((room) => `server/src/flows/${room} has no floor in scripts/import-rules.ts`),
  ];
}

/** Every cycle is shown once, by the import that closes it. Imports of types count: a reader follows them. */
export function findCycles(imports: readonly Import[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to, isOurs } of imports) {
    if (isOurs) targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  const problems: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) problems.push(`cycle: ${[...trail.slice(start), file].join(' → ')}`);
    if (start >= 0 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return problems;
}
