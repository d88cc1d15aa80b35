/**
 * Endpoints as data. A resource declares its routes with `read`, `write` and `flow`; `register.ts` turns
 * them into Fastify routes that authenticate, validate, open the transaction, keep idempotency and audit,
 * and feed the OpenAPI description.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { Context, Service } from '../context.ts';
import type { Db, Tx } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Claim } from './idempotency.ts';
import type { PriceTerms } from './major-amounts.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What a handler is given. Params, query and body are validated; `withSecret` tells whether the secret key was sent. */
export interface RouteRequest<P, Q, B> {
  ctx: Context;
  scope: Scope;
  params: P;
  query: Q;
  body: B;
  withSecret: boolean;
  /** The buyer's or client's address. */
  ipAddress: string;
  requestId: string;
}

export interface WriteRequest<P, Q, B> extends RouteRequest<P, Q, B> {
  tx: Tx;
  /** Keeps what the object was before, for the audit row. */
  audit: (before: unknown, objectId?: string) => void;
}

export interface FlowRequest<P, Q, B> extends RouteRequest<P, Q, B> {
  claim: Claim;
  /** Keeps what the object was before, for the audit row. */
  audit: (before: unknown, objectId?: string) => void;
  /** Writes the kept answer with the flow's last transaction; else the door adds one. */
  finish: (tx: Tx, data: unknown) => Promise<void>;
}

export interface RouteDeclaration<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  D extends TSchema,
> {
  method: Method;
  /** Path under the host, with `:name` parameters, such as `/v0/discounts/:discountId`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** The area of a key pair's scopes; missing = the tag. */
  area?: string;
  params?: P;
  query?: Q;
  body?: B;
  /** Headers beyond those of every operation, for its description. */
  headers?: TSchema;
  data: D;
  /** Refusals beyond those that every operation can give. */
  errors?: readonly ErrorCode[];
  /** The answer holds a secret: no Idempotency-Key keeps it. */
  answersSecret?: boolean;
  bodyLimitBytes?: number;
  /**
   * What the prices of the object that the path names are in, for key pairs whose requests bear major units. Missing, or
   * answering undefined: the store's currency. `id` has not been validated yet.
   */
  priceTerms?: (db: Db, scope: Scope, id: string) => Promise<PriceTerms | undefined>;
  /** An example body that validates, shown in the reference. */
  example?: unknown;
}

export interface ReadRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>
  extends RouteDeclaration<P, Q, B, D> {
  /** The secret key is asked for although nothing is written. */
  needsSecret?: boolean;
  /** Whether the handler looks at the workspace's clock (one more query in test mode). */
  needsClock?: boolean;
  handler: (request: RouteRequest<Static<P>, Static<Q>, Static<B>> & { db: Db }) => Promise<Static<D>>;
}

export interface WriteRoute<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  D extends TSchema,
  O = unknown,
> extends RouteDeclaration<P, Q, B, D> {
  /**
   * Asks the outside world what the write depends on, or works out what takes long, before the transaction
   * opens; throws to refuse. The handler gets what it returns as `outside`.
   */
  checkOutside?: (request: RouteRequest<Static<P>, Static<Q>, Static<B>>) => Promise<O>;
  handler: (request: WriteRequest<Static<P>, Static<Q>, Static<B>> & { outside: O }) => Promise<Static<D>>;
}

export interface FlowRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>
  extends RouteDeclaration<P, Q, B, D> {
  handler: (request: FlowRequest<Static<P>, Static<Q>, Static<B>>) => Promise<Static<D>>;
}

/** A body that is not JSON, as it arrives from an authenticated caller. */
export interface Upload {
  scope: Scope;
  requestId: string;
  headers: IncomingHttpHeaders;
  stream: Readable;
}

/** Takes bodies too large for memory before the transaction begins. */
export interface Intake<B> {
  /** Stores the stream; what it returns is the handler's body, and what an Idempotency-Key compares. */
  receive: (service: Service, upload: Upload) => Promise<B>;
  /** Removes what was stored when the request came to nothing. */
  discard: (service: Service, upload: Pick<Upload, 'scope' | 'requestId'>) => Promise<void>;
}

export interface UploadRoute<B, D extends TSchema>
  extends Omit<RouteDeclaration<TSchema, TSchema, TSchema, D>, 'body' | 'params' | 'query'> {
  intake: Intake<B>;
  handler: (request: WriteRequest<unknown, unknown, B>) => Promise<Static<D>>;
}

/** A declared route with its handler's types forgotten: what the door registers. */
export interface Route extends RouteDeclaration<TSchema, TSchema, TSchema, TSchema> {
  kind: 'read' | 'write' | 'flow';
  needsSecret: boolean;
  needsClock: boolean;
  intake?: Intake<unknown>;
  checkOutside?: (request: never) => Promise<unknown>;
  run: (request: never) => Promise<unknown>;
}

/** A read: no transaction, no audit; the handler gets the database. */
export function read<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>(
  route: ReadRoute<P, Q, B, D>,
): Route {
  const { handler, ...declaration } = route;
  return {
    ...declaration,
    kind: 'read',
    needsSecret: route.needsSecret ?? false,
    needsClock: route.needsClock ?? false,
    run: handler,
  };
}

/** A write of one transaction, opened by the door: idempotency, work, audit and answer hold or fall together. */
export function write<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  D extends TSchema,
  O = unknown,
>(route: WriteRoute<P, Q, B, D, O>): Route {
  const { handler, ...declaration } = route;
  return { ...declaration, kind: 'write', needsSecret: true, needsClock: true, run: handler };
}

/** A write of several transactions with the outside world between them: the flow opens its own. */
export function flow<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>(
  route: FlowRoute<P, Q, B, D>,
): Route {
  const { handler, ...declaration } = route;
  return { ...declaration, kind: 'flow', needsSecret: true, needsClock: true, run: handler };
}

/** A write whose body is a stream of any content type. */
export function upload<B, D extends TSchema>(route: UploadRoute<B, D>): Route {
  const { handler, ...declaration } = route;
  return { ...declaration, kind: 'write', needsSecret: true, needsClock: true, run: handler };
}
