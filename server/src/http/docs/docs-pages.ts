/** What is written about the product, for people and for whoever reads Markdown: made at the first look into it. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { readDescription } from '../description/kept-description.ts';
import { listGroups } from './groups.ts';
import { keptJson } from './kept-json.ts';
import { type DocPage, type Library, openLibrary } from './library.ts';

const FULL_BYTES_MAX = 500_000;
const MARKDOWN = 'text/markdown; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
const SITE_FILES = { 'site.css': 'text/css; charset=utf-8', 'site.js': 'text/javascript; charset=utf-8' };
const OPTIONS = { schema: { hide: true } };
/** `:file` with `.md` is the twin. */
const PAGES = [
  '/docs/guides/:file',
  '/docs/runbooks/:file',
  '/docs/errors/:file',
  '/docs/configuration',
  '/docs/configuration.md',
];

/** Few ask for pages: what draws them is loaded at the first request. */
const openShell = () => import('./page-shell.ts');

const send = (reply: FastifyReply, type: string, text: string) =>
  reply.header('content-type', type).send(text);

export function registerDocsPages(app: FastifyInstance, publicUrl: string): void {
  let opened: Library | null = null;
  const open = () => {
    opened ??= openLibrary(readDescription(publicUrl).description);
    return opened;
  };
  app.get('/llms.txt', OPTIONS, (_request, reply) => send(reply, PLAIN, toIndex(open(), publicUrl)));
  app.get('/llms-full.txt', OPTIONS, (_request, reply) => send(reply, PLAIN, toFull(open(), publicUrl)));
  app.get('/docs/reference.md', OPTIONS, (_request, reply) => send(reply, MARKDOWN, toReference(open())));
  app.get('/docs/guides.md', OPTIONS, (_request, reply) => send(reply, MARKDOWN, toContents(open())));
  app.get('/docs/guides', OPTIONS, async (_request, reply) => {
    const library = open();
    const page = { kind: 'guides', title: CONTENTS, summary: ABOUT, path: '/docs/guides.md' } as const;
    return sendPage(reply, library, { ...page, name: '', text: toContents(library) });
  });
  app.get('/docs/errors.md', OPTIONS, (_request, reply) => send(reply, MARKDOWN, toCodes(open())));
  app.get('/docs/errors', OPTIONS, async (_request, reply) => {
    const library = open();
    const page = { kind: 'errors', title: CODES, summary: OF_CODES, path: '/docs/errors.md' } as const;
    return sendPage(reply, library, { ...page, name: '', text: toCodes(library) });
  });
  for (const url of PAGES) {
    app.get(url, OPTIONS, async (request, reply) => {
      const [path = ''] = request.url.split('?');
      const page = open().at(path.replace(/(\.md)?$/, '.md'));
      if (!page) return reply.callNotFound();
      return path.endsWith('.md') ? send(reply, MARKDOWN, page.text) : sendPage(reply, open(), page);
    });
  }
  registerSiteFiles(app, open);
}

async function sendPage(reply: FastifyReply, library: Library, page: DocPage) {
  const { PAGE_POLICY, toDocument } = await openShell();
  reply.header('content-security-policy', PAGE_POLICY).header('cache-control', 'no-cache');
  return send(reply, 'text/html; charset=utf-8', toDocument(page, listGroups(library)));
}

/** What the pages load. */
function registerSiteFiles(app: FastifyInstance, open: () => Library): void {
  let parts: Promise<(reply: FastifyReply) => FastifyReply> | null = null;
  const openParts = async () => {
    const { listParts } = await import('./search-parts.ts');
    return keptJson(() => listParts(listGroups(open())));
  };
  app.get('/docs/guides/search.json', OPTIONS, async (_request, reply) => {
    parts ??= openParts();
    const sendParts = await parts;
    return sendParts(reply);
  });
  for (const name of ['site.css', 'site.js'] as const) {
    app.get(`/docs/guides/${name}`, OPTIONS, async (_request, reply) => {
      const { readSiteFile } = await openShell();
      // Its address changes with it.
      reply.header('cache-control', 'public, max-age=31536000, immutable');
      return send(reply, SITE_FILES[name], readSiteFile(name).text);
    });
  }
}

const TITLES = { guides: 'Guides', runbooks: 'Runbooks', reference: 'Reference', errors: 'Errors' } as const;
const CONTENTS = 'Guides to Counterfoil';
const ABOUT =
  'Counterfoil is an open, self-hosted sales and billing back end for digital goods: products, checkout, payments, ' +
  'subscriptions, tax, invoices, refunds and webhooks, over one HTTP API.';

/** A line for each page. */
export function toIndex(library: Library, publicUrl: string): string {
  const guides = listGroups(library).flatMap(({ pages }) => pages);
  const parts = (['guides', 'runbooks', 'reference', 'errors'] as const).map((kind) => {
    const pages = kind === 'guides' ? guides : library.pages.filter((page) => page.kind === kind);
    const lines = pages.map((page) => toLine(page, publicUrl)).join('');
    return `## ${TITLES[kind]}\n\n${lines.trimEnd()}`;
  });
  const contents = `- [${CONTENTS}](${publicUrl}/docs/guides.md): The guides by what they are about.`;
  return `# Counterfoil\n\n> ${ABOUT}\n\n${contents}\n\n${parts.join('\n\n')}\n`;
}

/** The page that leads to all guides. */
function toContents(library: Library): string {
  const groups = listGroups(library).map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${page.path}): ${page.summary}`);
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `# ${CONTENTS}\n\n${ABOUT}\n\n${groups.join('\n\n')}\n`;
}

const CODES = 'Errors';
const OF_CODES = 'Each code that a refused request may answer with, what it means and what ends it.';

/** The page that leads to those of all codes. */
function toCodes({ pages }: Library): string {
  const lines = pages
    .filter(({ kind }) => kind === 'errors')
    .map(({ title, path, summary }) => `- [\`${title}\`](${path}): ${summary}`);
  return `# ${CODES}\n\n${OF_CODES}\n\n${lines.join('\n')}\n`;
}

/** All of it, as far as it fits: guides first, then codes, then the reference; what does not is named by its line. */
export function toFull({ pages, preface }: Library, publicUrl: string): string {
  const written = (['guides', 'runbooks', 'errors'] as const).flatMap((kind) =>
    pages.filter((page) => page.kind === kind),
  );
  const reference = pages.filter(({ kind }) => kind === 'reference');
  const parts = [
    { text: `# Counterfoil\n\n> ${ABOUT}\n`, line: '' },
    ...written.map((page) => ({ text: `\n${page.text}`, line: toLine(page, publicUrl) })),
    { text: `\n${REFERENCE}\n\n${preface}\n`, line: '' },
    ...reference.map((page) => ({
      text: `\n${page.toShort?.() ?? page.text}`,
      line: toLine(page, publicUrl),
    })),
  ];
  let left = parts.reduce((sum, { line }) => sum + Buffer.byteLength(line), 0);
  let bytes = 0;
  let whole = '';
  for (const { text, line } of parts) {
    left -= Buffer.byteLength(line);
    const told = line === '' || bytes + Buffer.byteLength(text) + left <= FULL_BYTES_MAX ? text : line;
    whole += told;
    bytes += Buffer.byteLength(told);
  }
  return whole;
}

const toLine = (page: DocPage, publicUrl: string) =>
  `- [${page.title}](${publicUrl}${page.path}): ${page.summary}\n`;

const REFERENCE = '# Reference\n\nMoney is integer minor units, times are Unix ms.';

function toReference({ pages }: Library): string {
  const operations = pages.filter(({ kind }) => kind === 'reference');
  return `${REFERENCE}\n\n${operations.map(({ text }) => text).join('\n')}`;
}
