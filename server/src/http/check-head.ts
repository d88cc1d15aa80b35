/** What the head of a request asks for that is not done here: refused in the form of all answers, and not by Node. */
import type { Server } from 'node:http';
import type { FastifyRequest, preParsingHookHandler } from 'fastify';
import { Refusal } from '../domain/errors.ts';

/** Lets `checkHead` refuse what Node would answer with a 417 of its own. */
export function takeExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Of two hosts a proxy in front may believe one and we the other. */
export function checkHead({ raw }: FastifyRequest): void {
  const { headers, httpVersion, rawHeaders } = raw;
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) throw refuse('The request has more than one Host header.');
  if (headers.host === undefined && httpVersion === '1.1') throw refuse('The request has no Host header.');
  if (headers.expect !== undefined && !/\b100-continue\b/i.test(headers.expect))
    throw refuse('The request has an Expect header that is not 100-continue.');
}

function refuse(message: string): Refusal {
  return new Refusal('invalid_input', { message });
}

/** A body is read as it comes: one that is compressed would be taken for broken JSON, or kept as another file. */
export const refuseEncoded: preParsingHookHandler = ({ raw }, reply, payload, done) => {
  const encoding = raw.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity' || !hasBody(raw)) return done(null, payload);
  reply.header('accept-encoding', 'identity');
  done(
    new Refusal('unsupported_media_type', {
      message: 'The body must not be compressed or otherwise encoded (content-encoding).',
    }),
  );
};

export function hasBody({ headers }: FastifyRequest['raw']): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
