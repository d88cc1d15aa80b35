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
import type { StandingSession } from '../resources/accounts/account-sessions.queries.ts';
import type { Actor } from './authenticate.ts';
import type { CookieName } from './cookies.ts';
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
  /** Who asks: a key pair, or an account as a member. */
  actor: Actor;
  /** The buyer's or client's address. */
  ipAddress: string;
  requestId: string;
  /** Ends with the connection of who asks. */
  gone: () => AbortSignal;
  /**
   * For what has waited and answers only now: who asks may have been shut out meanwhile. Throws what the door would throw.
   */
  admitAgain: () => Promise<void>;
  /** Holds a list's query that came as a text to that list's schema. Throws invalid_input. */
  checkQuery: (schema: TSchema, text: string) => void;
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

/** What of a request decides whether its account must have proved itself within the last minutes. */
export interface ProofRequest {
  testMode: boolean;
  params: unknown;
  body: unknown;
}

/** Of what is free to be tried in test mode. */
export const isLive = ({ testMode }: ProofRequest): boolean => !testMode;

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
  /** The part of the reference, and by `areaOf` what a role or a scope must allow. */
  tag: string;
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  body?: B;
  /** Headers beyond those of every operation, for its description. */
  headers?: TSchema;
  data: D;
  /** Refusals beyond those that every operation can give. */
  errors?: readonly ErrorCode[];
  /** The answer holds a secret or signs in: no Idempotency-Key keeps it. */
  answersSecret?: boolean;
  /** It changes an object that has a version: `If-Match` may name the one that the change was made of. */
  isEdit?: boolean;
  bodyLimitBytes?: number;
  /** Of a door of the portal: what is stated there is heard whatever page sends it. */
  isHeardFromAnywhere?: boolean;
  /**
   * What the prices of the object that the path names are in, for key pairs whose requests bear major units. Missing, or
   * answering undefined: the store's currency. `id` has not been validated yet.
   */
  priceTerms?: (db: Db, scope: Scope, id: string) => Promise<PriceTerms | undefined>;
  /** An example body that validates, shown in the reference. */
  example?: unknown;
  /**
   * A session must have proved itself within the last minutes: always; where the request is such; or unless its account
   * has nothing to show yet and has just signed in. `own`: of a buyer, for whom a merchant's word does not do.
   */
  needsFreshProof?: boolean | 'unless first' | 'own' | ((request: ProofRequest) => boolean);
  /** A browser that goes there by itself is sent on. */
  redirects?: boolean;
  /** What a session does with it ends the link by which a new store is set up. */
  closesSetup?: boolean;
  /** It belongs to the workspace as a whole: a session need not say in which mode it asks. */
  ofWorkspace?: boolean;
  /** It is what takes a workspace out of a state in which nothing else can be written. */
  inAnyState?: boolean;
  /** What the reference asks for, where an operation cannot be asked without. */
  exampleQuery?: Record<string, string>;
  /** People decide it of people: a key pair cannot. */
  membersOnly?: boolean;
}

export interface ReadRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>
  extends RouteDeclaration<P, Q, B, D> {
  /** The secret key is asked for although nothing is written. */
  needsSecret?: boolean;
  /** Whether it may be seconds old: it is read from a standby where there is one, and `x-counterfoil-stale` says so. */
  fromReports?: boolean;
  /** Whether the handler looks at the workspace's clock (one more query in test mode). */
  needsClock?: boolean;
  /**
   * Who asks must be one who may write, although nothing of the business is written: it bears no Idempotency-Key, leaves
   * no audit row, and goes on while the test clock moves.
   */
  isLikeWrite?: boolean;
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
  /** A file of the reader's own, as samples send it. */
  sample: { name: string; type: string };
  /** Stores the stream; what it returns is the handler's body, and what an Idempotency-Key compares. */
  receive: (service: Service, upload: Upload) => Promise<B>;
  /** Removes what was stored when the request came to nothing. */
  discard(
    service: Service,
    upload: Pick<Upload, 'scope' | 'requestId'> & { received: B | undefined },
  ): Promise<void>;
}

export interface UploadRoute<B, D extends TSchema>
  extends Omit<RouteDeclaration<TSchema, TSchema, TSchema, D>, 'body' | 'params' | 'query'> {
  intake: Intake<B>;
  handler: (request: WriteRequest<unknown, unknown, B>) => Promise<Static<D>>;
}

/** A declared route with its handler's types forgotten: what the door registers. */
export interface Route extends RouteDeclaration<TSchema, TSchema, TSchema, TSchema> {
  kind: 'read' | 'write' | 'flow' | 'account';
  needsSecret: boolean;
  needsClock: boolean;
  isLikeWrite?: boolean;
  fromReports?: boolean;
  /** Who may call it; missing = a key pair and a member. */
  audience?: Audience;
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
    isLikeWrite: route.isLikeWrite ?? false,
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

/**
 * Who calls what no key pair calls: whoever is on the way in, an account, one that runs the installation; at a store's
 * portal somebody at the door, and a buyer who is in.
 */
export type Audience = 'anyone' | 'account' | 'installation' | 'visitor' | 'buyer';

/** A browser, as it comes and as it is told to remember. */
export interface Client {
  ipAddress: string;
  /** The address as limits count it. */
  addressKey: string;
  userAgent: string;
  requestId: string;
  cookie(name: CookieName): string | null;
  setCookie(name: CookieName, value: string | null): void;
  /** What stands after the path, with its question mark. */
  search: string;
  /** The browser goes there instead of being answered. */
  redirect(url: string): void;
}

/** What a handler of an account's operation is given. It opens its own transactions. */
export interface AccountRequest<P, Q, B, S = StandingSession> {
  service: Service;
  /** Real time. */
  nowMs: number;
  params: P;
  query: Q;
  body: B;
  session: S;
  client: Client;
  /** What is remembered of the account's sessions is read anew: said after every change of them. */
  forget(accountId: string): void;
  /** The same of all key pairs, after a change of a workspace's state. */
  forgetPairs(): void;
}

export interface AccountRoute<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  D extends TSchema,
  S = StandingSession,
> extends RouteDeclaration<P, Q, B, D> {
  handler: (request: AccountRequest<Static<P>, Static<Q>, Static<B>, S>) => Promise<Static<D>>;
}

/** A way in: whoever comes from a page of ours may call it, with a session or without. */
export function wayIn<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>(
  route: AccountRoute<P, Q, B, D, StandingSession | null>,
): Route {
  return ofAudience(route, 'anyone');
}

/** What an account does for itself; a key pair cannot. */
export function ofAccount<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>(
  route: AccountRoute<P, Q, B, D>,
): Route {
  return ofAudience(route, 'account');
}

/** What those do who run the installation; of everybody else it is hidden. */
export function ofInstallation<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>(
  route: AccountRoute<P, Q, B, D>,
): Route {
  return ofAudience(route, 'installation');
}

function ofAudience<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema, S>(
  route: AccountRoute<P, Q, B, D, S>,
  audience: Audience,
): Route {
  const { handler, ...declaration } = route;
  return { ...declaration, kind: 'account', audience, needsSecret: true, needsClock: false, run: handler };
}
