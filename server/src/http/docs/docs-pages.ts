/** What is written about the product, for people and for whoever reads Markdown: made at the first look into it. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ERRORS, type ErrorCode } from '../../domain/errors.ts';
import { type DocPage, type Library, openLibrary } from './library.ts';

const FULL_BYTES_MAX = 500_000;
const MARKDOWN = 'text/markdown; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
/** It loads nothing, and styles itself. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

export function registerDocsPages(app: FastifyInstance, publicUrl: string): void {
  let opened: Library | null = null;
  const open = () => {
    opened ??= openLibrary(app.swagger());
    return opened;
  };
  const options = { schema: { hide: true } };
  const send = (reply: FastifyReply, type: string, text: string) =>
    reply.header('content-type', type).send(text);
  app.get('/llms.txt', options, (_request, reply) => send(reply, PLAIN, toIndex(open(), publicUrl)));
  app.get('/llms-full.txt', options, (_request, reply) => send(reply, PLAIN, toFull(open(), publicUrl)));
  app.get('/docs/reference.md', options, (_request, reply) => send(reply, MARKDOWN, toReference(open())));
  app.get('/docs/guides/:file', options, (request, reply) => {
    const [, name = ''] = /^(.+)\.md$/.exec(fileOf(request.params)) ?? [];
    const page = open().find('guides', name);
    return page ? send(reply, MARKDOWN, page.text) : reply.callNotFound();
  });
  app.get('/docs/errors/:file', options, (request, reply) => {
    const file = fileOf(request.params);
    const page = open().find('errors', file.replace(/\.md$/, ''));
    if (!page) return reply.callNotFound();
    if (file.endsWith('.md')) return send(reply, MARKDOWN, page.text);
    reply.header('content-security-policy', POLICY);
    return send(reply, 'text/html; charset=utf-8', toHtml(page));
  });
}

const fileOf = (params: unknown): string => (params as { file: string }).file;

const TITLES = { guides: 'Guides', reference: 'Reference', errors: 'Errors' } as const;
const ABOUT =
  'Counterfoil is an open, self-hosted sales and billing back end for digital goods: products, checkout, payments, ' +
  'subscriptions, tax, invoices, refunds and webhooks, over one HTTP API.';

/** A line for each page. */
export function toIndex({ pages }: Library, publicUrl: string): string {
  const parts = (['guides', 'reference', 'errors'] as const).map((kind) => {
    const lines = pages
      .filter((page) => page.kind === kind)
      .map(({ title, path, summary }) => `- [${title}](${publicUrl}${path}): ${summary}`);
    return [`## ${TITLES[kind]}`, '', ...lines].join('\n');
  });
  return `# Counterfoil\n\n> ${ABOUT}\n\n${parts.join('\n\n')}\n`;
}

/** All of it, as far as it fits: guides first, then codes, then the reference; what does not is named by its line. */
export function toFull({ pages }: Library, publicUrl: string): string {
  const order = ['guides', 'errors', 'reference'];
  const sorted = [...pages].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  let whole = `# Counterfoil\n\n> ${ABOUT}\n`;
  let bytes = Buffer.byteLength(whole);
  const linesOf = (page: DocPage) => `- [${page.title}](${publicUrl}${page.path}): ${page.summary}\n`;
  let left = sorted.reduce((sum, page) => sum + Buffer.byteLength(linesOf(page)), 0);
  for (const page of sorted) {
    const line = linesOf(page);
    left -= Buffer.byteLength(line);
    const text = `\n${page.text}`;
    const isFitting = bytes + Buffer.byteLength(text) + left <= FULL_BYTES_MAX;
    whole += isFitting ? text : line;
    bytes += Buffer.byteLength(isFitting ? text : line);
  }
  return whole;
}

function toReference({ pages }: Library): string {
  const operations = pages.filter(({ kind }) => kind === 'reference');
  return `# Reference\n\nMoney is integer minor units, times are Unix ms.\n\n${operations.map(({ text }) => text).join('\n')}`;
}

function toHtml({ name, text }: DocPage): string {
  // A page of this kind is named by its code.
  const { status } = ERRORS[name as ErrorCode];
  const [, ...paragraphs] = text.trim().split('\n\n');
  const body = paragraphs.map((one) => `<p>${toInline(one)}</p>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name} (${status}) · Counterfoil</title>
<link rel="alternate" type="text/markdown" href="/docs/errors/${name}.md">
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}code{font:0.9em ui-monospace,monospace;overflow-wrap:anywhere}a{color:#0b57d0}</style>
</head>
<body>
<main>
<h1><code>${name}</code></h1>
${body}
<p><a href="/docs">Reference</a></p>
</main>
</body>
</html>
`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function toInline(markdown: string): string {
  return markdown
    .replace(/[&<>"]/g, (one) => ESCAPES[one] ?? one)
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/`([^`]+)`/g, '<code>$1</code>');
}
