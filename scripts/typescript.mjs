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
  const { default: ts } = await import('typescript');
  const fileName = fileURLToPath(url);
  const { outputText } = ts.transpileModule(await readFile(fileName, 'utf8'), {
    fileName,
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2023,
      verbatimModuleSyntax: true,
      inlineSourceMap: true,
    },
  });
  return { format: 'module', source: outputText, shortCircuit: true };
}
