import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The dashboard's own build, since its parts are React's; it adds to the folder that the buyer's pages lie in. */
export default defineConfig({
  root: path('.'),
  base: '/assets/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  build: {
    outDir: path('dist'),
    emptyOutDir: false,
    assetsDir: '',
    manifest: 'dashboard-manifest.json',
    modulePreload: false,
    assetsInlineLimit: 0,
    target: 'es2022',
    rolldownOptions: {
      // The parts are marked for servers that render them; ours never does.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
      input: {
        dashboard: path('dashboard/dashboard.tsx'),
        look: path('dashboard/look.ts'),
      },
    },
  },
});
