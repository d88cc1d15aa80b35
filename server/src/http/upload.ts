/** The door for bodies of any content type: streamed, never held in memory, removed when they come to nothing. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import { Refusal } from '../domain/errors.ts';
import type { Intake } from './route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body may take as long as it keeps coming. */
    isUpload?: boolean;
  }
}

/** What describes the body; nothing of it can be validated beforehand. */
export const STREAMED_SCHEMA = { consumes: ['*/*'], body: { type: 'string', format: 'binary' } };
export const STREAMED = { validatorCompiler: () => () => true, config: { isUpload: true } };

/** Makes the bodies of this context what `intake` makes of their streams, after authentication. */
export function takeStreams(app: FastifyInstance, service: Service, intake: Intake<unknown>): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, stream: FastifyRequest['raw']) => {
    const { actor, id: requestId, headers } = request;
    if (!actor) throw new Refusal('unauthorized');
    return intake.receive(service, { scope: actor.scope, requestId, headers, stream });
  });
  app.addHook('onError', async (request, reply) => {
    // What is left of a refused body is not read, so that the connection cannot be used again.
    if (!request.raw.complete) reply.header('connection', 'close');
  });
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Discards what was received unless this very request kept it: a replay keeps what the first one stored. */
export function keepingUpload(service: Service, intake: Intake<unknown>, handler: Handler): Handler {
  return async (request, reply) => {
    let isKept = false;
    try {
      const answer = await handler(request, reply);
      isKept = !reply.hasHeader('idempotent-replayed');
      return answer;
    } finally {
      const scope = request.actor?.scope;
      if (!isKept && scope) {
        const { id: requestId, body: received } = request;
        await intake.discard(service, { scope, requestId, received });
      }
    }
  };
}
