/** How operations of the portal are declared: ways in, and what a buyer does who is in. */
import type { Static, TSchema } from 'typebox';
import type { Context, Service } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Row } from '../db/schema.ts';
import type { Scope } from '../db/scope.ts';
import type { Settings } from '../domain/settings.ts';
import type { PortalSessionRow } from '../resources/portal/portal-sessions.queries.ts';
import type { AskedWord } from './portal-cookies.ts';
import type {
  FlowRequest,
  FlowRoute,
  ReadRoute,
  Route,
  RouteDeclaration,
  RouteRequest,
  WriteRequest,
  WriteRoute,
} from './route.ts';

/** Who is in, and where. */
export interface Buyer {
  session: PortalSessionRow;
  user: Row<'users'>;
  settings: Settings;
  store: { name: string; slug: string; state: string; currency: string | null };
}

/** A browser at the door of a portal. */
export interface PortalClient {
  /** As limits count it. */
  addressKey: string;
  userAgent: string;
  acceptLanguage: string | undefined;
  requestId: string;
  asked: AskedWord | null;
  keepAsked(asked: AskedWord | null): void;
  keepSession(scope: Scope, token: string | null): void;
  /** What it keeps as its session of a store; null = nothing. */
  sessionToken(scope: Scope): string | null;
}

export interface OfBuyer {
  buyer: Buyer;
  client: PortalClient;
}

/** What a handler of a way in is given. It opens its own transactions. */
export interface DoorRequest<B> {
  service: Service;
  body: B;
  client: PortalClient;
  /** The store of a portal, with its clock, which a write waits for. Throws not_found. */
  open(named: { store: string; testMode: boolean }, options?: { isWrite: boolean }): Promise<OpenedStore>;
  /** The store that a cookie or a link names. Throws not_found for one that is gone. */
  openScope(scope: Scope): Promise<OpenedStore>;
  /** Who is signed in there already; null = nobody, as for a page of another site. */
  findSignedIn(scope: Scope): Promise<Pick<Buyer, 'user'> | null>;
}

export interface OpenedStore extends Pick<Buyer, 'settings' | 'store'> {
  ctx: Context;
  scope: Scope;
}

/** What somebody may ask for who is not in yet. */
export function atDoor<B extends TSchema, D extends TSchema>(
  route: RouteDeclaration<TSchema, TSchema, B, D> & {
    handler: (request: DoorRequest<Static<B>>) => Promise<Static<D>>;
  },
): Route {
  const { handler, ...declaration } = route;
  return {
    ...declaration,
    kind: 'account',
    audience: 'visitor',
    needsSecret: false,
    needsClock: true,
    run: handler,
  };
}

type Handled<R, Q, D> = Omit<R, 'handler'> & { handler: (request: Q) => Promise<D> };

export function buyerRead<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>(
  route: Handled<
    ReadRoute<P, Q, B, D>,
    RouteRequest<Static<P>, Static<Q>, Static<B>> & OfBuyer & { db: Db },
    Static<D>
  >,
): Route {
  const { handler, ...declaration } = route;
  const asked = { kind: 'read', audience: 'buyer', needsSecret: false, needsClock: true } as const;
  return { ...declaration, ...asked, run: handler };
}

export function buyerWrite<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  D extends TSchema,
  O = unknown,
>(
  route: Omit<
    Handled<
      WriteRoute<P, Q, B, D, O>,
      WriteRequest<Static<P>, Static<Q>, Static<B>> & OfBuyer & { outside: O },
      Static<D>
    >,
    'checkOutside'
  > & {
    checkOutside?: (request: RouteRequest<Static<P>, Static<Q>, Static<B>> & OfBuyer) => Promise<O>;
  },
): Route {
  const { handler, ...declaration } = route;
  const asked = { kind: 'write', audience: 'buyer', needsSecret: false, needsClock: true } as const;
  return { ...declaration, ...asked, run: handler };
}

export function buyerFlow<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>(
  route: Handled<FlowRoute<P, Q, B, D>, FlowRequest<Static<P>, Static<Q>, Static<B>> & OfBuyer, Static<D>>,
): Route {
  const { handler, ...declaration } = route;
  const asked = { kind: 'flow', audience: 'buyer', needsSecret: false, needsClock: true } as const;
  return { ...declaration, ...asked, run: handler };
}
