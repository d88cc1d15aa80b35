/** The SDK against the description that it is generated from, and against its own bounds. */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { generate } from '../sdk/scripts/generate.ts';
import type { Description } from './described.ts';
import { ROOT } from './source-files.ts';

const SOURCES = `${ROOT}/sdk/src`;
const HAND_LINES_MAX = 900;
/** Minified and gzipped. */
const BYTES_MAX: Readonly<Record<string, number>> = { index: 8 * 1024, webhooks: 2 * 1024 };

export async function checkSdk(): Promise<string[]> {
  const description = JSON.parse(readFileSync(`${ROOT}/docs/openapi.json`, 'utf8')) as Description;
  const read = (name: string) => readFileSync(`${SOURCES}/generated/${name}`, 'utf8');
  return [...findOutdated(description, read), ...findLongWinded(), ...(await findHeavy())];
}

/** Generated files that are not what the description says. */
export function findOutdated(description: Description, read: (name: string) => string): string[] {
  return Object.entries(generate(description))
    .filter(([name, text]) => read(name) !== text)
    .map(([name]) => `sdk/src/generated/${name} is not what docs/openapi.json says: run npm run docs`);
}

function findLongWinded(): string[] {
  const files = readdirSync(SOURCES).filter((name) => name.endsWith('.ts'));
  const lines = files.flatMap((name) => readFileSync(`${SOURCES}/${name}`, 'utf8').split('\n')).length;
  return lines <= HAND_LINES_MAX ? [] : [`sdk/src: ${lines} lines by hand, more than ${HAND_LINES_MAX}`];
}

async function findHeavy(): Promise<string[]> {
  const sizes = await Promise.all(
    Object.keys(BYTES_MAX).map(async (name) => [name, await weigh(name)] as const),
  );
  return sizes
    .filter(([name, bytes]) => bytes > (BYTES_MAX[name] ?? 0))
    .map(([name, bytes]) => `sdk/src/${name}.ts: ${bytes} bytes minified and gzipped`);
}

/** Bytes of an entry with all that it loads. */
export async function weigh(name: string): Promise<number> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      lib: { entry: `${SOURCES}/${name}.ts`, formats: ['es'], fileName: name },
    },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const code = outputs.map((one) => ('code' in one ? one.code : '')).join('');
  return gzipSync(code).length;
}
