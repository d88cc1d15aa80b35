/** Who calls a tool, and how a tool asks the service: over the door, as a request of that very pair. */
import type { FastifyInstance } from 'fastify';
import type { Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { scopesAllow } from '../domain/key-scopes.ts';

/** A key pair with its assistant, for the time of one request. */
export interface Caller {
  service: Service;
  app: FastifyInstance;
  scope: Scope;
  publicKey: string;
  secretKey: string;
  /** Null = all that needs no naming. */
  scopes: readonly string[] | null;
  address: string;
  /** As the program calls itself; null = it did not say. */
  client: string | null;
  /** Whether it can put a question to whoever uses it. */
  canAsk: boolean;
  /** Whether tools that write are hidden although the pair may use them. */
  isReadOnly: boolean;
}

/** What an operation refused, or a tool itself: told as the answer of the tool. */
export class ToolRefusal extends Error {
  override name = 'ToolRefusal';
  readonly told: { status: number; code: string; message: string; details?: unknown; requestId?: string };

  constructor(told: ToolRefusal['told']) {
    super(told.message);
    this.told = told;
  }
}

export interface Asked {
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  body?: unknown;
  /** Of a write: what has the same key is done once. */
  idempotencyKey?: string | undefined;
  /** Refuses where another had the key before, instead of giving their answer. */
  isFirst?: boolean;
  /** Answers null instead of refusing where this pair may not, or where there is nothing. */
  orNull?: boolean;
}

type Data = Record<string, unknown>;

/** The `data` of an operation's answer. Throws ToolRefusal. */
export async function ask(
  caller: Caller,
  request: string,
  asked: Asked & { orNull: true },
): Promise<Data | null>;
export async function ask(caller: Caller, request: string, asked?: Asked): Promise<Data>;
export async function ask(caller: Caller, request: string, asked: Asked = {}): Promise<Data | null> {
  const [method = 'GET', path = ''] = request.split(' ');
  const { query, body, idempotencyKey, isFirst, orNull } = asked;
  const answer = await caller.app.inject({
    // Requests are written in this folder alone.
    method: method as 'GET',
    url: `${path}${toSearch(query)}`,
    remoteAddress: caller.address,
    headers: {
      'x-svc-public-key': caller.publicKey,
      'x-svc-secret-key': caller.secretKey,
      ...(caller.client === null ? {} : { 'x-counterfoil-client': encodeURIComponent(caller.client) }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  const told = answer.json() as { data?: Data; error?: ToolRefusal['told'] };
  if (isFirst && answer.headers['idempotent-replayed'] !== undefined)
    throw new ToolRefusal({
      status: 409,
      code: 'confirmation_used',
      message: 'This plan was confirmed before.',
    });
  if (answer.statusCode === 200) return told.data ?? {};
  if (orNull && (answer.statusCode === 403 || answer.statusCode === 404)) return null;
  throw new ToolRefusal({ ...(told.error as ToolRefusal['told']), status: answer.statusCode });
}

function toSearch(query: Asked['query']): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    for (const one of [value].flat()) search.append(name, String(one));
  }
  return search.size === 0 ? '' : `?${search}`;
}

export const mayDo = ({ scopes, scope }: Caller, area: string, access: 'read' | 'write'): boolean =>
  scopesAllow(scopes, { area, access, testMode: scope.testMode });
