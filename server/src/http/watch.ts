/** Tells whoever measures of each request: that it came, how it was answered, and that it is over. */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ErrorCode } from '../domain/errors.ts';

export interface RequestWatch {
  began(): void;
  answered(request: AnsweredRequest): void;
  /** They were answered, or nobody is there any more to be answered. */
  over(requests: number): void;
}

export interface AnsweredRequest {
  /** The route's template; null = there is no such route. */
  route: string | null;
  /** The noun that the operation is about. */
  tag: string | null;
  method: string;
  status: number;
  /** Why it was refused; null = it was not, or the page says it in its own way. */
  code: ErrorCode | null;
  ms: number;
}

export function addWatch(app: FastifyInstance, watch: RequestWatch): void {
  /** How many requests of a connection are not over. */
  const open = new WeakMap<Socket, number>();

  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    watch.began();
    const before = open.get(socket);
    open.set(socket, (before ?? 0) + 1);
    // Of answers that wait for the one before them Node says nothing where their connection is cut.
    if (before === undefined)
      socket.once('close', () => {
        watch.over(open.get(socket) ?? 0);
        open.set(socket, 0);
      });
    reply.raw.once('close', () => {
      const left = open.get(socket) ?? 0;
      if (left === 0) return;
      open.set(socket, left - 1);
      watch.over(1);
    });
    done();
  });

  app.addHook('onResponse', ({ method, routeOptions, refused }, reply, done) => {
    const { url, schema } = routeOptions;
    // Fastify's type of a schema does not know what it is described by.
    const { tags } = (schema ?? {}) as { tags?: string[] };
    const [route = null, tag = null] = [url, tags?.[0]];
    watch.answered({
      route,
      tag,
      method,
      status: reply.statusCode,
      code: refused?.code ?? null,
      ms: reply.elapsedTime,
    });
    done();
  });
}
