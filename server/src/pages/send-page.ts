/** How a page leaves: its language, what it may load and who may frame it, and the page that says what went wrong. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import type { ErrorCode } from '../domain/errors.ts';
import { type Language, toLanguage } from '../domain/languages.ts';
import { findWanted } from '../domain/wanted-language.ts';
import { sendRefusal, translateError } from '../http/errors.ts';
import type { RawQuery } from '../http/query.ts';
import type { PageSources } from '../providers/payment/registry.ts';
import { compressPage } from './compress-page.ts';
import { ClosedShop } from './open-shop.ts';
import type { PageInput, PageRenderer } from './render-page.ts';

export interface PagesOptions {
  service: Service;
  renderPage: PageRenderer;
}

/** Pages of one context take forms and say what is wrong in a page. */
export function preparePages(app: FastifyInstance, { renderPage }: PagesOptions): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  app.setErrorHandler(createPageSayer(renderPage));
}

/** What a page has words for that is about no checkout: a link that leads nowhere, a service that fails. */
const OF_ANY_LINK: ReadonlySet<ErrorCode> = new Set([
  ...(['not_found', 'route_not_found', 'download_over', 'internal', 'unavailable'] as const),
]);

/** Says in a page what was thrown, where a page has words for it, and else in the envelope. */
export function createLinkSayer(renderPage: PageRenderer) {
  return createPageSayer(renderPage, OF_ANY_LINK);
}

/** Says it in a page that our own pages may frame. */
export function createFrameSayer(renderPage: PageRenderer) {
  return createPageSayer(renderPage, null, ["'self'"]);
}

function createPageSayer(
  renderPage: PageRenderer,
  codes: ReadonlySet<ErrorCode> | null = null,
  frameAncestors: string[] = [],
) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = translateError(error, request, reply);
    if (codes && !codes.has(refusal.code)) return sendRefusal(refusal, request, reply);
    // The page has words of its own for what it knows, in the buyer's language.
    const shop = refusal instanceof ClosedShop ? refusal.shop : null;
    const page = {
      entry: 'message' as const,
      title: shop?.seller.name ?? 'Checkout',
      look: shop?.seller.branding,
      language: wantedLanguage(request) ?? toLanguage(shop?.seller.language ?? null),
      state: { code: refusal.code, message: refusal.message, ...shop },
    };
    const html = renderPage(page);
    return sendHtml(reply.status(refusal.status), { request, entry: page.entry, html, frameAncestors });
  };
}

/** The link's language, that of whoever is known, or the browser's; null where none of them is among ours. */
export function wantedLanguage(
  { headers, query }: FastifyRequest,
  known: string | null = null,
): Language | null {
  // None is read of a URL that cannot be decoded.
  const asked = (query as RawQuery | null | undefined)?.['svc-language']?.at(-1);
  return findWanted({ asked, known, acceptLanguage: headers['accept-language'] }) ?? null;
}

interface SentPage extends Omit<PageInput, 'language'> {
  /** What is set for whoever is known: it says more than the browser. */
  knownLanguage?: string | null;
  /** The shop's, where neither link nor browser speaks a language of ours. */
  shopLanguage: string | null;
  /** Origins that may frame it. */
  frameAncestors?: string[];
  /** What it loads of a processor; null = nothing of anybody's. */
  sources?: PageSources | null;
}

/** Writes a page in the language of whoever asks. */
export function sendPage(
  { renderPage }: PagesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { frameAncestors = [], sources = null, knownLanguage = null, shopLanguage, ...page }: SentPage,
) {
  const language = wantedLanguage(request, knownLanguage) ?? toLanguage(shopLanguage);
  const html = renderPage({ ...page, language });
  return sendHtml(reply, { request, entry: page.entry, html, frameAncestors, sources });
}

/** Our own alone, and what the fields of a processor need where a page shows some. */
function toPolicy(sources: PageSources | null): string {
  const own = (more: readonly string[] = []) => ["'self'", ...more].join(' ');
  return [
    "default-src 'none'",
    `script-src ${own(sources?.scripts)}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${own(sources?.connects)}`,
    ...(sources ? [`frame-src ${sources.frames.join(' ')}`] : []),
    "form-action 'self'",
    "base-uri 'none'",
  ].join('; ');
}

interface SentHtml {
  request: FastifyRequest;
  entry: PageInput['entry'];
  html: string;
  frameAncestors?: string[];
  sources?: PageSources | null;
}

function sendHtml(
  reply: FastifyReply,
  { request, entry, html, frameAncestors = [], sources = null }: SentHtml,
) {
  const ancestors = frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'";
  // Beside the list it would refuse everybody in the browsers that read it.
  if (frameAncestors.length > 0) reply.removeHeader('x-frame-options');
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', `${toPolicy(sources)}; frame-ancestors ${ancestors}`)
    .header('vary', 'accept-encoding, accept-language');
  const compressed = compressPage({ entry, html }, request.headers);
  return compressed
    ? reply.header('content-encoding', compressed.encoding).send(compressed.bytes)
    : reply.send(html);
}
