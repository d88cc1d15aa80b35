/** Which handlers are at work, also for a client that has gone: a stop waits for connections, and theirs is no more. */
import type { FastifyInstance } from 'fastify';

/** Of every route that is added from now on; answers what waits until none is at work. */
export function watchHandlers(app: FastifyInstance): () => Promise<void> {
  const running = new Set<Promise<unknown>>();
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function handle(request, reply) {
      const handled: unknown = handler.call(this, request, reply);
      if (handled instanceof Promise) {
        running.add(handled);
        const end = () => running.delete(handled);
        handled.then(end, end);
      }
      return handled;
    };
  });
  return async () => {
    while (running.size > 0) await Promise.allSettled(running);
  };
}
