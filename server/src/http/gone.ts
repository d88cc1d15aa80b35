import type { FastifyReply } from 'fastify';

/** Ends when the connection does, before or after the answer. */
export function toGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}
