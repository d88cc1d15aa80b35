/** Fails where what is shipped names a stand-in for a processor, or would install one. Tests may start them. */
import { readFileSync } from 'node:fs';
import { listFiles, ROOT } from './source-files.ts';

const NAME = /@counterfoil\/double-|doubles\//;
const TEST = /\.test\.tsx?$|\.testing\.ts$|^(server|web)\/test\//;
const SHIPPED = ['server', 'web', 'embed'];

export async function checkDoubles(): Promise<string[]> {
  const files = SHIPPED.flatMap((folder) => listFiles(folder, /\.(ts|tsx|mjs|js|json|html|css)$/));
  const named = files
    .filter((file) => !TEST.test(file))
    .flatMap((file) => findNames(file, readFileSync(`${ROOT}/${file}`, 'utf8')));
  const packages = listFiles('doubles', /\/package\.json$/);
  return [
    ...named,
    ...packages.flatMap((file) => findInstalled(file, readFileSync(`${ROOT}/${file}`, 'utf8'))),
  ];
}

export function findNames(file: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) => (NAME.test(line) ? [`${file}:${index + 1}: names a stand-in`] : []));
}

/** A production install takes the dependencies of a workspace, and not what it is developed with. */
export function findInstalled(file: string, text: string): string[] {
  const { private: isPrivate, dependencies = {} } = JSON.parse(text) as {
    private?: boolean;
    dependencies?: Record<string, string>;
  };
  return [
    ...(isPrivate === true ? [] : [`${file}: a stand-in must be private`]),
    ...Object.keys(dependencies).map((name) => `${file}: ${name} would be installed in production`),
  ];
}
