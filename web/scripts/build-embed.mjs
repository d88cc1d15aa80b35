/**
 * Builds the script that shops load, `/embed/v1.js`, from the workspace `embed`: one file without imports, beside it
 * the same under its full version and what names it, and all that were ever released.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const OUTPUT = path('../dist/embed/');
const RELEASES = path('../../embed/releases/');

const source = readFileSync(path('../../embed/src/version.ts'), 'utf8');
const version = /SCRIPT_VERSION = '(1\.\d+\.\d+)'/.exec(source)?.[1];
if (!version) throw new Error('embed/src/version.ts names no version 1.x.y');

const built = await build({
  configFile: false,
  logLevel: 'warn',
  root: path('../../embed/'),
  publicDir: false,
  build: {
    write: false,
    target: 'es2022',
    lib: { entry: path('../../embed/src/script.ts'), formats: ['iife'], name: 'counterfoilEmbed' },
    rolldownOptions: { output: { minify: true } },
  },
});
const [{ code }] = [built].flat()[0].output;

mkdirSync(OUTPUT, { recursive: true });
for (const name of readdirSync(RELEASES).filter((one) => one.endsWith('.js'))) {
  const released = readFileSync(RELEASES + name, 'utf8');
  if (name === `v${version}.js` && released !== code) {
    throw new Error(`embed/releases/${name} was released with other bytes: raise SCRIPT_VERSION`);
  }
  writeFileSync(OUTPUT + name, released);
}
writeFileSync(`${OUTPUT}v1.js`, code);
writeFileSync(`${OUTPUT}v${version}.js`, code);
const integrity = `sha384-${createHash('sha384').update(code).digest('base64')}`;
writeFileSync(`${OUTPUT}v1.json`, JSON.stringify({ version, file: `v${version}.js`, integrity }));
