/**
 * `npm run pack -- [--out FOLDER]`: the packages as they are published, each a tarball: the service with all commands, the SDK, the
 * merchant's commands alone, and what shops put into their pages.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FONT_FILES } from '../../server/src/documents/fonts.ts';
import { ROOT } from '../source-files.ts';
import { nameCommands } from './for-package.ts';
import { findClosure, type Locked, makeShrinkwrap, readTree } from './lockfile.ts';
import { makeNotices } from './notices.ts';
import { bundlePackage, OUTSIDE } from './server-bundle.ts';

const { values } = parseArgs({
  options: { out: { type: 'string', default: path.join(ROOT, 'dist/packages') } },
});
const OUT = path.resolve(values.out);
/** Kept as it lies in a clone, so that a file finds another the same way in both. */
const STAGED = path.join(OUT, 'counterfoil');

interface Manifest extends Locked {
  name: string;
  license: string;
  engines: Record<string, string>;
  description: string;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional: boolean }>;
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
for (const workspace of ['sdk', 'cli', 'embed']) {
  // Each builds itself first: packed by hand, too, none is empty.
  npm(['pack', '--silent', '--pack-destination', OUT, '--workspace', workspace]);
}
await stageService();
npm(['pack', '--silent', '--pack-destination', OUT, STAGED]);
console.log(OUT);

async function stageService(): Promise<void> {
  const bundled = await bundlePackage(path.join(STAGED, 'server/dist/run'));
  for (const part of [
    'docs/configuration.md',
    'docs/guides',
    'docs/openapi.json',
    'docs/openapi-examples.json',
    'docs/runbooks',
    'server/bin',
    'web/dist',
    'cli/dist',
    'scripts/forebears.mjs',
    'README.md',
    'LICENSE',
  ]) {
    cpSync(path.join(ROOT, part), path.join(STAGED, part), {
      recursive: true,
      filter: (file) => path.basename(file) !== '.built-from',
    });
  }
  for (const part of ['docs/guides', 'docs/runbooks']) nameCommandsIn(part);
  const manifest = makeManifest();
  write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  write('npm-shrinkwrap.json', makeShrinkwrap(manifest));
  write('THIRD-PARTY-NOTICES.md', makeNotices([...bundled, ...listBuiltIn()]));
}

/** The pages that its users read. */
function nameCommandsIn(folder: string): void {
  for (const name of readdirSync(path.join(STAGED, folder))) {
    const page = path.join(folder, name);
    if (page.endsWith('.md')) write(page, nameCommands(readFileSync(path.join(STAGED, page), 'utf8')));
  }
}

function makeManifest(): Manifest & { files: string[] } {
  const clone = readManifest('package.json');
  const server = readManifest('server/package.json');
  const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = server;
  const { name, version, description, license, engines } = clone;
  return {
    ...{ name, version, description, license },
    ...{ type: 'module', bin: { counterfoil: 'server/bin/counterfoil.mjs' }, engines },
    files: ['npm-shrinkwrap.json', 'docs', 'server', 'web', 'cli', 'scripts', 'THIRD-PARTY-NOTICES.md'],
    dependencies: Object.fromEntries(OUTSIDE.map((outside) => [outside, String(dependencies[outside])])),
    optionalDependencies,
    ...makePeers(devDependencies),
  };
}

/** What traces is installed by whoever wants traces: of the versions that are tried here. */
function makePeers(
  tried: Record<string, string>,
): Pick<Manifest, 'peerDependencies' | 'peerDependenciesMeta'> {
  const peers = Object.entries(tried).filter(([name]) => name.startsWith('@opentelemetry/'));
  return {
    peerDependencies: Object.fromEntries(peers.map(([name, version]) => [name, `^${version}`])),
    peerDependenciesMeta: Object.fromEntries(peers.map(([name]) => [name, { optional: true }])),
  };
}

/** What is built into the pages and into the commands, and the fonts. */
function listBuiltIn(): string[] {
  const tree = readTree();
  const { devDependencies = {} } = readManifest('web/package.json');
  const { dependencies = {} } = readManifest('cli/package.json');
  const names = [...Object.keys({ ...devDependencies, ...dependencies }), 'preact'];
  const shown = names.filter((name) => !name.startsWith('@types/'));
  const folders = findClosure(tree, shown).filter((at) => !at.includes('node_modules/@types/'));
  const fonts = FONT_FILES.map((file) => file.split('/').slice(0, 2).join('/'));
  return [...folders.map((at) => at.replace('node_modules/', '')), ...fonts];
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as Manifest;
}

function write(file: string, text: string): void {
  writeFileSync(path.join(STAGED, file), text);
}

function npm(args: string[]): void {
  execFileSync('npm', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}
