/**
 * The HTML shell of the buyer's pages. The page's state travels inside the document, so that the first paint
 * needs no second request; scripts and styles come from the build in `web/dist`, named by its manifest.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toLanguage } from '../domain/languages.ts';
import { NO_SCRIPT_TEXTS } from './no-script-texts.ts';

export type PageEntry = 'checkout' | 'preview' | 'authenticate' | 'pay' | 'statements' | 'portal' | 'message';

export interface PageInput {
  entry: PageEntry;
  title: string;
  /** A language the web build has texts for; an unknown one falls back to English in the browser. */
  language: string;
  /** How the shop looks, as far as it must be known before the first paint. */
  look?: { theme: 'auto' | 'light' | 'dark'; icon: string | null };
  /** What a browser without scripts can do here all the same: send the page's own address back. */
  withoutScript?: 'sign-in';
  /** Anything that JSON can carry. It becomes readable to the buyer. */
  state: unknown;
}

export type PageRenderer = (page: PageInput) => string;

export interface ManifestChunk {
  file: string;
  name?: string;
  src?: string;
  isEntry?: boolean;
  css?: string[];
  imports?: string[];
}
export type Manifest = Record<string, ManifestChunk>;

export interface EntryAssets {
  script: string;
  styles: string[];
  preloads: string[];
}

/** Where the server serves `assetsDir`; the web build's `base` is the same. */
export const ASSETS_PATH = '/assets/';

const ENTRIES: readonly PageEntry[] = [
  'checkout',
  'preview',
  'authenticate',
  'pay',
  'statements',
  'portal',
  'message',
];

/**
 * Reads the build's manifest once and returns the function that writes pages.
 * Throws when `assetsDir` holds no complete build: better at start than at the first buyer.
 */
export function createPageRenderer(options: { assetsDir: string }): PageRenderer {
  const manifest = readManifest(options.assetsDir, 'manifest.json');
  const entries = new Map(ENTRIES.map((entry) => [entry, findEntryAssets(manifest, entry)]));
  const icon = findIcon(manifest);
  return (page) => {
    const assets = entries.get(page.entry);
    if (!assets) throw new Error(`unknown page entry "${page.entry}"`);
    const texts = findTexts(manifest, page.language);
    return renderShell(page, { ...assets, preloads: [...assets.preloads, ...texts] }, icon);
  };
}

export function readManifest(assetsDir: string, file: string): Manifest {
  const path = join(assetsDir, file);
  try {
    // The file is written by our own build, so its shape is known.
    return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  } catch (cause) {
    throw new Error(
      `the web pages are not built (${path} is missing or broken): run "npm run build -w web"`,
      {
        cause,
      },
    );
  }
}

export function findEntryAssets(manifest: Manifest, entry: string): EntryAssets {
  const chunk = Object.values(manifest).find((one) => one.isEntry && one.name === entry);
  if (!chunk) throw new Error(`the web build has no entry "${entry}": run "npm run build -w web"`);
  const imported = listImports(manifest, chunk);
  return {
    script: chunk.file,
    styles: [...new Set([...imported, chunk].flatMap((one) => one.css ?? []))],
    preloads: imported.map((one) => one.file),
  };
}

/** All chunks the given one needs, deepest first, so that shared styles come before those that refine them. */
function listImports(manifest: Manifest, chunk: ManifestChunk, seen = new Set<ManifestChunk>()) {
  for (const key of chunk.imports ?? []) {
    const imported = manifest[key];
    if (!imported || seen.has(imported)) continue;
    listImports(manifest, imported, seen);
    seen.add(imported);
  }
  return [...seen];
}

/** The texts of a language are a chunk of their own that the script asks for; naming it early saves a round trip. */
function findTexts(manifest: Manifest, language: string): string[] {
  const key = `ui/texts/${language}.json`;
  const chunk = Object.hasOwn(manifest, key) ? manifest[key] : undefined;
  return chunk ? [chunk.file] : [];
}

export function findIcon(manifest: Manifest): string | null {
  return Object.values(manifest).find((chunk) => chunk.src?.endsWith('favicon.svg'))?.file ?? null;
}

function renderShell(page: PageInput, assets: EntryAssets, icon: string | null): string {
  const url = (file: string) => escapeHtml(ASSETS_PATH + file);
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="robots" content="noindex, nofollow">',
    // A page's address names its session: it must not travel to the shops and files that the page links to.
    '<meta name="referrer" content="same-origin">',
    `<title>${escapeHtml(page.title)}</title>`,
    toIcon(page, icon && url(icon)),
    ...assets.styles.map((file) => `<link rel="stylesheet" href="${url(file)}">`),
    ...assets.preloads.map((file) => `<link rel="modulepreload" href="${url(file)}">`),
    `<script type="module" src="${url(assets.script)}"></script>`,
  ];
  return `<!doctype html>
<html lang="${escapeHtml(page.language)}"${toTheme(page)}>
<head>
${head.filter(Boolean).join('\n')}
</head>
<body>
<div id="app"></div>
<noscript>${renderNoScript(page)}</noscript>
<script type="application/json" id="state">${escapeJson(page.state)}</script>
</body>
</html>
`;
}

function renderNoScript({ language, withoutScript }: PageInput): string {
  const { notice, signIn } = NO_SCRIPT_TEXTS[toLanguage(language)];
  if (withoutScript !== 'sign-in') return escapeHtml(notice);
  return `${escapeHtml(notice)}<form method="post"><button class="primary">${escapeHtml(signIn)}</button></form>`;
}

function toIcon({ look }: PageInput, ours: string | null): string {
  if (look?.icon) return `<link rel="icon" href="${escapeHtml(look.icon)}">`;
  return ours ? `<link rel="icon" type="image/svg+xml" href="${ours}">` : '';
}

/** Known to the first paint, so that a dark shop never flashes white. */
function toTheme({ look }: PageInput): string {
  return look && look.theme !== 'auto' ? ` data-theme="${look.theme}"` : '';
}

const HTML_ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => HTML_ESCAPES[character] ?? character);
}

/** JSON inside a script element: without a `<` no name of a product can end the element. */
function escapeJson(state: unknown): string {
  return JSON.stringify(state ?? null).replaceAll('<', '\\u003c');
}
