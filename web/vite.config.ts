import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export default defineConfig({
  root: path('.'),
  // The server serves the folder `dist` under this path and finds the hashed names in the manifest.
  base: '/assets/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: path('dist'),
    emptyOutDir: true,
    assetsDir: '',
    manifest: 'manifest.json',
    // Preload links are written by the server; the strict content security policy allows no data: scripts.
    modulePreload: false,
    assetsInlineLimit: 0,
    target: 'es2022',
    rolldownOptions: {
      input: {
        checkout: path('checkout/checkout.tsx'),
        authenticate: path('authenticate/authenticate.tsx'),
        pay: path('pay/pay.tsx'),
        message: path('message/message.tsx'),
        favicon: path('ui/favicon.svg'),
      },
    },
  },
});
