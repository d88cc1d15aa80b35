/**
 * `npm run release:check -- [--out FOLDER] [--tag v1.2.3]`: all of a release but the publishing. Every package has the one
 * version, the changelog tells of it, and two builds are equal to the byte, so that anybody can tell what a package was made
 * of. `--tag` is what is about to be released: the changelog then has its version, and what is shipped has changed under it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PRODUCT_VERSION } from '../../server/src/domain/version.ts';
import { ROOT } from '../source-files.ts';
import { judgeRelease } from './judge-release.ts';

const { values } = parseArgs({
  options: { out: { type: 'string', default: path.join(ROOT, 'dist/packages') }, tag: { type: 'string' } },
});
const PACKAGES = [
  'package.json',
  'server/package.json',
  'sdk/package.json',
  'cli/package.json',
  'embed/package.json',
];

/** What an install holds is made of these, and of what they are locked to. */
const SHIPPED = [
  'server/src',
  'server/bin',
  'web',
  'sdk/src',
  'cli/src',
  'embed/src',
  'docs/guides',
  'docs/runbooks',
  'package-lock.json',
];

const problems = [...findVersions(), ...findUntold(), ...findUnequal()];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function findVersions(): string[] {
  return [
    ...PACKAGES.filter((file) => (JSON.parse(read(file)) as { version: string }).version !== PRODUCT_VERSION),
    ...(read('deploy/compose.yaml').includes(`counterfoil:${PRODUCT_VERSION}\n`)
      ? []
      : ['deploy/compose.yaml']),
    ...(read('deploy/kubernetes/kustomization.yaml').includes(`newTag: ${PRODUCT_VERSION}\n`)
      ? []
      : ['deploy/kubernetes/kustomization.yaml']),
  ].map((file) => `${file} names another version than ${PRODUCT_VERSION}`);
}

function findUntold(): string[] {
  return judgeRelease({
    version: PRODUCT_VERSION,
    tag: values.tag ?? null,
    changelog: read('CHANGELOG.md'),
    ...findReleased(),
  });
}

/** The release before, and what is shipped of what has changed since. A checkout without tags knows of none. */
function findReleased(): { released: string | null; changed: string[] } {
  const tags = askGit('tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', 'v*');
  const released = tags.find((tag) => tag !== values.tag) ?? null;
  if (released === null) return { released, changed: [] };
  return { released, changed: askGit('diff', '--name-only', released, 'HEAD', '--', ...SHIPPED) };
}

/** Lines; none where there is no history, as in an unpacked archive. */
function askGit(...args: string[]): string[] {
  if (!existsSync(path.join(ROOT, '.git'))) return [];
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
}

function findUnequal(): string[] {
  const again = mkdtempSync(path.join(os.tmpdir(), 'counterfoil-again-'));
  try {
    const [first, second] = [values.out, again].map(packInto);
    for (const [name, digest] of Object.entries(first ?? {})) console.log(`${digest}  ${name}`);
    const names = new Set([...Object.keys(first ?? {}), ...Object.keys(second ?? {})]);
    return [...names]
      .filter((name) => first?.[name] !== second?.[name])
      .map((name) => `${name} is another one when it is packed again`);
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
}

function packInto(folder: string): Record<string, string> {
  const args = ['--import', './scripts/typescript.mjs', 'scripts/packages/pack.ts', '--out', folder];
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  return Object.fromEntries(
    tarballs.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(path.join(folder, name)))
        .digest('hex'),
    ]),
  );
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
