/**
 * Fails when what a browser loads is larger than its limit, gzipped: for a page to pay on, its script, styles and the
 * largest language; for screens of the dashboard script and style apart; for a shop's page the script that opens the
 * checkout. Run after the build.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** The document itself: more than a shop's state makes of it (6,800 bytes), which leaves compressed (2,800). */
const DOCUMENT_BYTES = 3_400;
const PAGE_BYTES = 45_000;
const PORTAL_BYTES = 60_000;
/** What another screen of the portal, or the receipt, may load beside what is there. */
const FURTHER_BYTES = 20_000;
const EMBED_BYTES = 5_000;
const DASHBOARD_STYLE_BYTES = 30_000;
/** The words of all screens of a workspace but Home. */
const WORK = 'dashboard/work/';
/** What is drawn first, and the rooms that the script of a screen is loaded with; `words` lie in a room without a script. */
const SCREENS = [
  { name: 'sign-in', limit: 140_000, rooms: [] },
  {
    name: 'Home, with its plot',
    limit: 180_000,
    rooms: ['dashboard/app/workspace.tsx', 'dashboard/home/home.tsx'],
  },
  ...[
    'dashboard/lists/lists.tsx',
    'dashboard/details/details.tsx',
    'dashboard/settings/settings.tsx',
    'dashboard/settings/account.tsx',
    'dashboard/settings/test-clock.tsx',
    'dashboard/settings/installation.tsx',
    'dashboard/exports/exports.tsx',
    'dashboard/imports/imports.tsx',
    'dashboard/payments/payments.tsx',
    'dashboard/home/reports.tsx',
    'dashboard/home/tax.tsx',
  ].map((room) => ({
    name: room,
    limit: 240_000,
    rooms: ['dashboard/app/workspace.tsx', room],
    words: WORK,
  })),
  // Beside the sign-in: nearer to its limit than to that of a screen.
  ...['setup', 'links'].map((name) => ({
    name,
    limit: 160_000,
    rooms: [`dashboard/session/${name}.tsx`],
  })),
];

const dist = (file) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));
const gzipBytes = (file) => gzipSync(readFileSync(dist(file))).length;
const readManifest = (file) => JSON.parse(readFileSync(dist(file), 'utf8'));
const sum = (files) => [...files].reduce((all, file) => all + gzipBytes(file), 0);

function collect(manifest, chunk, files) {
  files.add(chunk.file);
  for (const file of chunk.css ?? []) files.add(file);
  for (const key of chunk.imports ?? []) collect(manifest, manifest[key], files);
}

function largestLanguage(manifest, folder) {
  const languages = Object.entries(manifest).filter(([key]) => key.startsWith(folder));
  return Math.max(0, ...languages.map(([, chunk]) => gzipBytes(chunk.file)));
}

/** What is loaded when it is needed, of all that is loaded at once; texts are counted with their page. */
function listLaterRooms(manifest, chunk, known = new Set()) {
  const rooms = (chunk.dynamicImports ?? []).filter((key) => !/\/texts\//.test(key) && !known.has(key));
  for (const key of rooms) known.add(key);
  for (const key of [...(chunk.imports ?? []), ...rooms]) listLaterRooms(manifest, manifest[key], known);
  return known;
}

function tell(name, bytes, limit) {
  console.log(`${String(bytes).padStart(7)} of ${limit} bytes gzipped  ${name}`);
  if (bytes > limit) process.exitCode = 1;
}

const pages = readManifest('manifest.json');
const PAGES = [
  { name: 'checkout', limit: PAGE_BYTES, texts: ['ui/texts/'] },
  { name: 'pay', limit: PAGE_BYTES, texts: ['ui/texts/', 'pay/texts/'] },
  // Whoever is in sees the overview first; each other screen comes when it is entered.
  {
    name: 'portal',
    limit: PORTAL_BYTES,
    texts: ['ui/texts/', 'portal/texts/'],
    first: 'portal/screens/orders.tsx',
  },
];
for (const { name, limit, texts, first } of PAGES) {
  const files = new Set();
  const entry = Object.values(pages).find((chunk) => chunk.isEntry && chunk.name === name);
  collect(pages, entry, files);
  const later = listLaterRooms(pages, entry);
  if (first && !later.delete(first)) throw new Error(`${name} does not load ${first} by itself`);
  if (first) collect(pages, pages[first], files);
  const words = texts.reduce((all, folder) => all + largestLanguage(pages, folder), 0);
  tell(`the page "${name}", with its document`, DOCUMENT_BYTES + sum(files) + words, limit);
  for (const room of later) {
    const more = new Set();
    collect(pages, pages[room], more);
    tell(`${name}, further: ${room}`, sum([...more].filter((file) => !files.has(file))), FURTHER_BYTES);
  }
}

tell('the script of a shop', gzipBytes('embed/v1.js'), EMBED_BYTES);

const dashboard = readManifest('dashboard-manifest.json');
/** What is said before a workspace, and what each of its screens says beside that: a room's folder of texts. */
const textsOf = (room) => largestLanguage(dashboard, `${room.slice(0, room.lastIndexOf('/'))}/texts/`);
for (const { name, limit, rooms, words } of SCREENS) {
  const files = new Set();
  const texts = [...new Set(['dashboard/', ...(words ? [words] : []), ...rooms].map(textsOf))].reduce(
    (all, bytes) => all + bytes,
    0,
  );
  const entry = Object.values(dashboard).find((chunk) => chunk.isEntry && chunk.name === 'dashboard');
  collect(dashboard, entry, files);
  for (const room of rooms) {
    if (!dashboard[room]) throw new Error(`the build has no room ${room}`);
    collect(dashboard, dashboard[room], files);
  }
  const scripts = [...files].filter((file) => file.endsWith('.js'));
  const styles = [...files].filter((file) => file.endsWith('.css'));
  tell(`dashboard: ${name}, script and texts`, sum(scripts) + texts, limit);
  tell(`dashboard: ${name}, style`, sum(styles), DASHBOARD_STYLE_BYTES);
}
