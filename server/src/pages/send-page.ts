/** How a page leaves: its language, what it may load and who may frame it, and the page that says what went wrong. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import { translateError } from '../http/errors.ts';
import { chooseLanguage } from './language.ts';
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
  app.setErrorHandler((error: Error, request, reply) => {
    const refusal = translateError(error, request, reply);
    // The page has words of its own for what it knows, in the buyer's language.
    const state = { code: refusal.code, message: refusal.message };
    const page = { entry: 'message' as const, title: 'Checkout', language: languageOf(request), state };
    return sendHtml(reply.status(refusal.status), renderPage(page), []);
  });
}

export function languageOf(request: FastifyRequest): string {
  return chooseLanguage(request.headers['accept-language']);
}

interface SentPage extends Omit<PageInput, 'language'> {
  /** Origins that may frame it. */
  frameAncestors?: string[];
}

/** Writes a page in the language of the browser that asks. */
export function sendPage(
  { renderPage }: PagesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { frameAncestors = [], ...page }: SentPage,
) {
  return sendHtml(reply, renderPage({ ...page, language: languageOf(request) }), frameAncestors);
}

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; form-action 'self'; base-uri 'none'";

function sendHtml(reply: FastifyReply, html: string, frameAncestors: string[]) {
  const ancestors = frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'";
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', `${PAGE_POLICY}; frame-ancestors ${ancestors}`)
    .send(html);
}
