/**
 * A mail as its reader sees it, for a frame of the dashboard. What merchants and buyers wrote stands in it, so the page
 * may run nothing, load nothing, and lead nowhere.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../domain/errors.ts';
import { toTexts } from '../domain/mails/kept-letter.ts';
import { translateError } from '../http/errors.ts';
import { findMail } from '../resources/mails/mails.queries.ts';
import { identifyMember, type MemberPages } from './identify-member.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

type Asked = FastifyRequest<{ Params: { workspaceId: string; mode: string; mailId: string } }>;

export function registerMailFrames(app: FastifyInstance, pages: MemberPages): void {
  // The frame shows what went wrong in words, under the same policy.
  app.setErrorHandler((error: Error, request, reply) => {
    const { status, message } = translateError(error, request, reply);
    return send(reply.status(status), 'text/plain', message);
  });
  const path = '/dashboard/frames/mails/:workspaceId/:mode/:mailId';
  app.get(path, { schema: { hide: true } }, async (request: Asked, reply) => {
    const { workspaceId, mode, mailId } = request.params;
    const isNamed = UUID.test(workspaceId) && UUID.test(mailId) && (mode === 'live' || mode === 'test');
    if (!isNamed) throw new Refusal('not_found');
    const scope = { workspaceId, testMode: mode === 'test' };
    await identifyMember(pages, request, { scope, area: 'mails' });
    const mail = await findMail(pages.service.db, scope, mailId);
    // Not written yet, or let go since.
    const html = mail ? toTexts(mail).html : null;
    if (html === null) throw new Refusal('not_found');
    return send(reply, 'text/html', html);
  });
}

function send(reply: FastifyReply, type: string, text: string) {
  return (
    reply
      .header('content-type', `${type}; charset=utf-8`)
      .header('content-security-policy', POLICY)
      // A page without an origin of its own cannot be kept by it.
      .removeHeader('origin-agent-cluster')
      .removeHeader('x-frame-options')
      .send(text)
  );
}
