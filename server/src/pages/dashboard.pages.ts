/** The merchant's dashboard: one document for all its addresses, and the policy that keeps it to itself. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../domain/languages.ts';
import { findWanted } from '../domain/wanted-language.ts';
import type { DashboardRenderer } from './render-dashboard.ts';

const NONCE_BYTES = 16;
/** Those that `web/dashboard/texts` has. */
const DASHBOARD_LANGUAGES: readonly Language[] = ['en', 'de'];

export async function registerDashboard(
  app: FastifyInstance,
  { renderDashboard }: { renderDashboard: DashboardRenderer },
): Promise<void> {
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const wishes = { acceptLanguage: request.headers['accept-language'] };
    const language = findWanted(wishes, DASHBOARD_LANGUAGES) ?? 'en';
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', toPolicy(nonce))
      .header('cross-origin-opener-policy', 'same-origin')
      .send(renderDashboard({ language, nonce }));
  };
  // Who types the address of the service means its dashboard; a program is told that there is nothing.
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    if (!(request.headers.accept ?? '').includes('text/html')) return reply.callNotFound();
    return reply.header('vary', 'accept').redirect('/dashboard');
  });
  app.get('/dashboard', { schema: { hide: true } }, send);
  app.get('/dashboard/*', { schema: { hide: true } }, send);
}

/** Our own files and nothing else; what the parts write into styles bears the nonce of this very answer. */
function toPolicy(nonce: string): string {
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
    "font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; " +
    "frame-ancestors 'none'"
  );
}
