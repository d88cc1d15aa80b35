import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type OperationBegan,
  operationBegan,
  type RequestBegan,
  type RequestEnded,
  requestBegan,
  requestEnded,
} from '../domain/trace-points.ts';
import { toKeyId } from './key-id.ts';

/** Says how requests come and go, where somebody traces when the application is made; else it costs nothing. */
export function tellTraces(app: FastifyInstance): void {
  if (!requestBegan.hasSubscribers) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const began: RequestBegan = { key: request, requestId: request.id, method: request.method };
    requestBegan.runStores(began, done);
  });
  // Once more, since what a socket brings is read in the socket's own context.
  app.addHook('preValidation', (request, _reply, done) => {
    const began: OperationBegan = { key: request, name: nameOf(request) };
    operationBegan.runStores(began, done);
  });
  app.addHook('onResponse', (request, { statusCode: status }, done) => {
    const { actor, refused } = request;
    const ended: RequestEnded = {
      key: request,
      route: request.routeOptions.url ?? null,
      status,
      scope: actor?.scope ?? null,
      keyId: actor ? toKeyId(actor) : null,
      code: refused?.code ?? null,
    };
    requestEnded.publish(ended);
    done();
  });
}

function nameOf({ routeOptions: { url, schema } }: FastifyRequest): string {
  // Fastify's type of a schema does not know what it is described by.
  const { operationId } = (schema ?? {}) as { operationId?: string };
  return operationId ?? url ?? 'no route';
}
