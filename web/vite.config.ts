import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** What a language lacks is said in English: a page must never show the name of a text. */
const fillWithEnglish: Plugin = {
  name: 'fill-with-english',
  enforce: 'pre',
  load(id) {
    if (!/\/(?:ui|authenticate|pay|portal|statements|transfer)\/texts\/[\w-]+\.json$/.test(id)) return null;
    const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    return JSON.stringify({ ...read(id.replace(/[\w-]+\.json$/, 'en.json')), ...read(id) });
  },
};

export default defineConfig({
  root: path('.'),
  // The server serves the folder `dist` under this path and finds the hashed names in the manifest.
  base: '/assets/',
  publicDir: false,
  plugins: [fillWithEnglish],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: path('dist'),
    // The dashboard's build lies in the same folder, and a watch must not take it away.
    emptyOutDir: !process.argv.includes('--watch'),
    assetsDir: '',
    manifest: 'manifest.json',
    // Preload links are written by the server; the strict content security policy allows no data: scripts.
    modulePreload: false,
    assetsInlineLimit: 0,
    target: 'es2022',
    rolldownOptions: {
      input: {
        checkout: path('checkout/checkout.tsx'),
        preview: path('preview/preview.tsx'),
        authenticate: path('authenticate/authenticate.tsx'),
        pay: path('pay/pay.tsx'),
        statements: path('statements/statements.tsx'),
        portal: path('portal/portal.tsx'),
        message: path('message/message.tsx'),
        favicon: path('ui/favicon.svg'),
      },
    },
  },
});
