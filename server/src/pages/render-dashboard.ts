/** The one document of the merchant's dashboard: it holds no data; all of that the browser asks of the API. */
import {
  ASSETS_PATH,
  escapeHtml,
  findEntryAssets,
  findIcon,
  type Manifest,
  readManifest,
} from './render-page.ts';

export interface DashboardPage {
  language: string;
  /** What styles within the document must bear to count. */
  nonce: string;
}

export type DashboardRenderer = (page: DashboardPage) => string;

/** Throws when `assetsDir` holds no complete build. */
export function createDashboardRenderer(options: { assetsDir: string }): DashboardRenderer {
  const manifest = readManifest(options.assetsDir, 'dashboard-manifest.json');
  const assets = findEntryAssets(manifest, 'dashboard');
  // Before the first paint and no module, so that a dark screen never flashes.
  const look = findEntryAssets(manifest, 'look').script;
  const icon = findIcon(readManifest(options.assetsDir, 'manifest.json'));
  const url = (file: string) => escapeHtml(ASSETS_PATH + file);
  return ({ language, nonce }) => {
    const preloads = [...assets.preloads, ...findTexts(manifest, language)];
    const head = [
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark">',
      '<meta name="robots" content="noindex, nofollow">',
      '<meta name="referrer" content="same-origin">',
      `<meta property="csp-nonce" nonce="${escapeHtml(nonce)}">`,
      '<title>Counterfoil</title>',
      icon ? `<link rel="icon" type="image/svg+xml" href="${url(icon)}">` : '',
      `<script src="${url(look)}"></script>`,
      ...assets.styles.map((file) => `<link rel="stylesheet" href="${url(file)}">`),
      ...preloads.map((file) => `<link rel="modulepreload" href="${url(file)}">`),
      `<script type="module" src="${url(assets.script)}"></script>`,
    ];
    return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
${head.filter(Boolean).join('\n')}
</head>
<body>
<div id="app"></div>
<noscript>The dashboard needs JavaScript. Please turn it on in your browser and reload the page.</noscript>
</body>
</html>
`;
  };
}

/** The texts of a language are a chunk that the script asks for; named early, they save a round trip. */
function findTexts(manifest: Manifest, language: string): string[] {
  const key = `dashboard/texts/${language}.json`;
  const chunk = Object.hasOwn(manifest, key) ? manifest[key] : undefined;
  return chunk ? [chunk.file] : [];
}
