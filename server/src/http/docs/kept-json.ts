/**
 * A JSON that is the same for everybody and as long as the process lives. It is written once: each is large, and whoever
 * asks for it many times over would keep the process from all else.
 */
import type { FastifyReply } from 'fastify';

export function keptJson(make: () => unknown): (reply: FastifyReply) => FastifyReply {
  let bytes: Buffer | null = null;
  return (reply) => {
    bytes ??= Buffer.from(JSON.stringify(make()));
    return reply.header('content-type', 'application/json; charset=utf-8').send(bytes);
  };
}
