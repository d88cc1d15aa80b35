/**
 * Fails on an export that nothing uses: no other file imports it and its own does not name it again. Such code is dead,
 * and neither compiler nor lint says so, since each reads one file at a time.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { listFiles, ROOT } from './source-files.ts';

const FOLDERS = ['server', 'web', 'embed', 'sdk', 'cli', 'doubles', 'scripts', 'bench'];

/** Exports whose user is no import of ours, `file#name`, with who that is. */
const USED_FROM_OUTSIDE: Readonly<Record<string, string>> = {
  'embed/src/react.tsx#CheckoutButton': 'shops, by the package @counterfoil/embed/react',
  'sdk/test/methods.test.ts#tryTypes': 'the compiler, which is to read it and nothing to run it',
  'server/test/packages/probe.mjs#probe': 'the receivers of the guides, by their path',
};

export interface Source {
  /** Path from the root. */
  file: string;
  text: string;
}

interface Names {
  /** What the file exports, with how often it is named there: once = only where it is declared. */
  exported: Array<{ name: string; timesNamed: number }>;
  /** What it takes from other files, as `path#name`; `path#*` for all of them. */
  used: string[];
}

export async function checkExports(): Promise<string[]> {
  const sources = FOLDERS.flatMap((folder) => listFiles(folder, /\.(tsx?|mjs|js)$/));
  return findUnused(
    sources.map((file) => ({ file, text: readFileSync(`${ROOT}/${file}`, 'utf8') })),
    USED_FROM_OUTSIDE,
  );
}

export function findUnused(
  sources: readonly Source[],
  fromOutside: Readonly<Record<string, string>>,
): string[] {
  const read = sources.map(({ file, text }) => ({ file, ...readNames(file, text) }));
  const used = new Set(read.flatMap((names) => names.used));
  const unused = read.flatMap(({ file, exported }) =>
    exported
      .filter(({ name, timesNamed }) => timesNamed === 1 && !used.has(`${file}#${name}`))
      .filter(() => !used.has(`${file}#*`))
      .map(({ name }) => `${file}#${name}`),
  );
  return [
    ...unused
      .filter((place) => !(place in fromOutside))
      .map((place) => `${place}: exported, and used nowhere`),
    ...Object.keys(fromOutside)
      .filter((place) => !unused.includes(place))
      .map((place) => `scripts/check-exports.ts: ${place} needs no exception`),
  ];
}

function readNames(file: string, text: string): Names {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const timesNamed = new Map<string, number>();
  const used: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) timesNamed.set(node.text, (timesNamed.get(node.text) ?? 0) + 1);
    used.push(...toUsed(file, node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  const exported = source.statements
    .filter(isExported)
    .flatMap(toDeclared)
    .map((name) => ({ name, timesNamed: timesNamed.get(name) ?? 0 }));
  return { exported, used };
}

/** What a node takes from another file. An import that is computed by a path takes all there is. */
function toUsed(file: string, node: ts.Node): string[] {
  const place = toPlace(node);
  if (place === null) return [];
  const from = path.posix.join(path.posix.dirname(file), place);
  return toNames(node).map((name) => `${from}#${name}`);
}

function toPlace(node: ts.Node): string | null {
  const named =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
        ? node.argument.literal
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : undefined;
  return named && ts.isStringLiteralLike(named) && named.text.startsWith('.') ? named.text : null;
}

function toNames(node: ts.Node): string[] {
  if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause)) {
    return node.exportClause.elements.map((element) => (element.propertyName ?? element.name).text);
  }
  if (!ts.isImportDeclaration(node)) return ['*'];
  const { name, namedBindings } = node.importClause ?? {};
  const own = name ? ['default'] : [];
  if (!namedBindings) return own;
  if (ts.isNamespaceImport(namedBindings)) return ['*'];
  return [...own, ...namedBindings.elements.map((element) => (element.propertyName ?? element.name).text)];
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  const kinds = modifiers.map((modifier) => modifier.kind);
  return kinds.includes(ts.SyntaxKind.ExportKeyword) && !kinds.includes(ts.SyntaxKind.DefaultKeyword);
}

function toDeclared(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  }
  const named = statement as ts.Statement & { name?: ts.Node };
  return named.name && ts.isIdentifier(named.name) ? [named.name.text] : [];
}
