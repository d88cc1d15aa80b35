/**
 * Lets Node run the scripts beside this file, and the sources that they import, without a build:
 * `node --import ./scripts/typescript.mjs scripts/check.ts`. Types are stripped, not checked; `npm run check`
 * checks them first.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// Node loads this file twice: in the program, to register it, and in a thread of its own, for its hook.
if (isMainThread) {
  process.setSourceMapsEnabled(true);
  register(import.meta.url);
}

/** Node's hook that loads a module: takes `.ts` files, and leaves the rest to Node. */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const { transformSync } = await import('rolldown/utils');
  const fileName = fileURLToPath(url);
  const { code, map, errors } = transformSync(fileName, await readFile(fileName, 'utf8'), {
    target: 'es2023',
    typescript: { onlyRemoveTypeImports: true },
    sourcemap: true,
    tsconfig: false,
  });
  if (errors.length > 0) throw new SyntaxError(errors.map(({ message }) => message).join('\n'));
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}`;
  return { format: 'module', source, shortCircuit: true };
}
