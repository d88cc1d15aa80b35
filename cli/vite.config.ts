import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** One file that needs nothing beside it: a command starts before a person notices. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  ssr: { noExternal: true },
  build: { ssr: 'src/main.ts', outDir: 'dist', target: 'node20', minify: true },
});
