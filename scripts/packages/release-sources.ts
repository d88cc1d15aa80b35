/**
 * `npm run release-sources -- --root CHECKOUT`: what a release's service is bundled from, written to
 * `upgrade-fixtures/sources/<version>.tar.gz`. The suite runs it beside today's code over one store
 * (`server/test/faults/rolling-release.test.ts`), which a clone without the history of that release can do, too.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BYTES_MAX = 2 * 1024 ** 2;
/** The sources, the words of its commands, and its own bundler: with today's packages it makes the program. */
const PARTS = [
  ...['package.json', 'server/package.json', 'server/src', 'server/bin'],
  ...['scripts/packages', 'scripts/source-files.ts', 'scripts/typescript.mjs'],
];

const { values } = parseArgs({ options: { root: { type: 'string' } } });
if (values.root === undefined) throw new Error('--root is the checkout of the release');
const root = path.resolve(values.root);
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
const target = path.join(ROOT, 'upgrade-fixtures/sources', `${version}.tar.gz`);
const entries = PARTS.flatMap(listFiles).map((name) => {
  const body = readFileSync(path.join(root, name));
  return { header: { name, size: body.length, mtime: new Date(0), mode: 0o644, uid: 0, gid: 0 }, body };
});
const packed = gzipSync(await packTar(entries), { level: 9 });
if (packed.length > BYTES_MAX) throw new Error(`${packed.length} bytes are more than sources may have`);
mkdirSync(path.dirname(target), { recursive: true });
writeFileSync(target, packed);
console.log(`${target}: ${entries.length} files, ${packed.length} bytes`);

function listFiles(part: string): string[] {
  if (path.extname(part) !== '') return [part];
  return readdirSync(path.join(root, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}
