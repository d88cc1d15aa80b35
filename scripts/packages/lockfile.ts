/** The tree of packages that everything is tested with, and parts of it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../source-files.ts';

export interface Locked {
  version: string;
  license?: string;
  link?: boolean;
  resolved?: string;
  dev?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

type Tree = Record<string, Locked>;

export function readTree(): Tree {
  return (JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Tree })
    .packages;
}

/** The paths in the tree of what these names lead to, each found as Node finds it from where it is asked for. */
export function findClosure(tree: Tree, names: readonly string[]): string[] {
  const found = new Set<string>();
  const open = names.map((name) => ({ name, from: '' }));
  for (let next = open.pop(); next; next = open.pop()) {
    const at = findInstalled(tree, next);
    if (at === null || found.has(at)) continue;
    found.add(at);
    const { dependencies = {}, optionalDependencies = {} } = tree[at] ?? {};
    open.push(
      ...Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => ({ name, from: at })),
    );
  }
  return [...found].sort();
}

function findInstalled(tree: Tree, { name, from }: { name: string; from: string }): string | null {
  const at = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (tree[at]) return at;
  // An optional one of another platform may be left out of the tree.
  if (from === '') return null;
  const above = from.lastIndexOf('/node_modules/');
  return findInstalled(tree, { name, from: above === -1 ? '' : from.slice(0, above) });
}

/** `npm-shrinkwrap.json`: who installs the package gets the very versions that it was tested with. */
export function makeShrinkwrap(root: { name: string; version: string } & Partial<Locked>): string {
  const tree = readTree();
  const names = Object.keys({ ...root.dependencies, ...root.optionalDependencies });
  const optional = new Set(findClosure(tree, Object.keys(root.optionalDependencies ?? {})));
  const entries = findClosure(tree, names).map((at) => {
    const { dev: _dev, ...entry } = tree[at] as Locked;
    return [at, optional.has(at) ? { ...entry, optional: true } : entry];
  });
  const { name, version } = root;
  const packages = { '': root, ...Object.fromEntries(entries) };
  return `${JSON.stringify({ name, version, lockfileVersion: 3, requires: true, packages }, null, 2)}\n`;
}
