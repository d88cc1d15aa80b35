/**
 * What is asked of a store, kept for a few days so that a merchant finds what went wrong. A request only leaves a note
 * in memory: rows are written later, in batches, and a note that finds no room is lost rather than waited for.
 */

import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import type { ErrorCode } from '../domain/errors.ts';
import {
  type BodySchema,
  createBodyKeeper,
  MASK,
  type SharedSchemas,
  toLoggedText,
} from '../domain/logged-body.ts';
import {
  appendRequests,
  type LogLimits,
  type NewRequest,
} from '../resources/request-log/request-log.queries.ts';
import { toKeyId } from './key-id.ts';
import type { Route } from './route.ts';

/** What a store's log holds at most. */
export const LOG_LIMITS: LogLimits = { rowsMax: 20_000, bytesMax: 50 * 1024 * 1024 };
const BODY_BYTES_MAX = 16 * 1024;
/** What a row takes beside its bodies. */
const ROW_BYTES = 300;
/** Notes that wait in memory. */
const WAITING_MAX = 5_000;
const WAITING_BYTES_MAX = 16 * 1024 * 1024;
/** Rows of one statement. */
const BATCH_SIZE = 500;

export interface RequestLog {
  note(scope: Scope, request: NewRequest): void;
  /** Writes what waits; called now and then and at the end. */
  flush(): Promise<void>;
}

interface Note {
  scope: Scope;
  request: NewRequest;
}

export function createRequestLog({ db, log }: { db: Db; log: Logger }): RequestLog {
  let waiting: Note[] = [];
  let bytes = 0;
  let lost = 0;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const notes = waiting;
    waiting = [];
    bytes = 0;
    if (lost > 0) log.warn({ lost }, 'requests were not noted in the request log: too many at once');
    lost = 0;
    for (const [scope, requests] of groupByStore(notes)) {
      for (let from = 0; from < requests.length; from += BATCH_SIZE) {
        const batch = requests.slice(from, from + BATCH_SIZE);
        await inTransaction(db, (tx) =>
          appendRequests(tx, scope, { requests: batch, limits: LOG_LIMITS }),
        ).catch((error: unknown) => log.warn({ err: error }, 'requests were not noted in the request log'));
      }
    }
  }

  return {
    note(scope, request) {
      if (waiting.length >= WAITING_MAX || bytes + request.sizeBytes > WAITING_BYTES_MAX) {
        lost += 1;
        return;
      }
      waiting.push({ scope, request });
      bytes += request.sizeBytes;
    },
    flush() {
      writing = writing.then(write);
      return writing;
    },
  };
}

function groupByStore(notes: readonly Note[]): Iterable<[Scope, NewRequest[]]> {
  const groups = new Map<string, [Scope, NewRequest[]]>();
  for (const { scope, request } of notes) {
    const name = `${scope.workspaceId} ${scope.testMode}`;
    const group = groups.get(name) ?? [scope, []];
    group[1].push(request);
    groups.set(name, group);
  }
  return groups.values();
}

/** What a refusal said. */
export interface ToldRefusal {
  code: ErrorCode;
  message: string;
  details?: readonly object[];
}

/** How a request ended. */
export interface Ended {
  request: FastifyRequest;
  status: number;
  durationMs: number;
  /** Of an operation that worked: its data. */
  data: unknown;
  error: ToldRefusal | null;
  nowMs: number;
}

type Bodies = 'body' | 'query' | 'data';
type Schemas = Record<Bodies, BodySchema | undefined>;
type Keepers = Record<Bodies, (value: unknown) => string | null>;

/** At the first note: most operations are never asked for in the life of a process. */
function createKeepers({ body, query, data }: Schemas, shared: SharedSchemas): Keepers {
  const create = (schema: BodySchema | undefined) =>
    createBodyKeeper({ schema, shared, bytesMax: BODY_BYTES_MAX });
  return { body: create(body), query: create(query), data: create(data) };
}

/** Makes the note of one operation's requests; undefined = this one is not kept. */
export function createNoter(route: Route, shared: SharedSchemas): (ended: Ended) => Note | undefined {
  // Routes declare JSON schemas.
  const schemas = { body: route.body, query: route.query, data: route.data } as unknown as Schemas;
  let keepers: Keepers | null = null;
  const isRead = route.kind === 'read';
  const isPoll = route.path === '/v0/changes' || (route.isLikeWrite ?? false);
  const isOfLog = route.tag === 'request-log';
  return ({ request, status, durationMs, data, error, nowMs }) => {
    const { actor, arrival } = request;
    if (!actor || !arrival || isPoll || isOfLog) return undefined;
    const { scope, withSecret, member } = actor;
    const isRefusal = status >= 400;
    // What a page of the dashboard reads is its own business; of a live store reads would drown the rest.
    if (isRead && !isRefusal && (member || !scope.testMode)) return undefined;
    // A stranger who has the public key would choose what the log shows.
    const withBodies = !isRefusal || withSecret;
    keepers ??= createKeepers(schemas, shared);
    const query = withBodies ? keepers.query(request.query) : null;
    const requestBody = withBodies ? keepers.body(request.body) : null;
    const answer = isRefusal || route.answersSecret ? null : keepers.data(data);
    const responseBody = isRefusal && withBodies ? toLoggedText(error, BODY_BYTES_MAX) : answer;
    const path = maskPath(request.url.split('?')[0] ?? '');
    const sizes = [query, requestBody, responseBody, path].map((text) => Buffer.byteLength(text ?? ''));
    return {
      scope,
      request: {
        id: request.id,
        actor: actor.name,
        keyId: toKeyId(actor),
        withSecret,
        method: route.method,
        path: path.slice(0, 500),
        operation: route.operationId,
        status,
        code: error?.code ?? null,
        address: arrival.ipAddress,
        durationMs: Math.round(durationMs),
        query,
        requestBody,
        responseBody,
        sizeBytes: ROW_BYTES + sizes.reduce((sum, size) => sum + size, 0),
        createdAt: nowMs,
      },
    };
  };
}

/** What stands for an id may be somebody's address, which no id is. */
const maskPath = (path: string): string => path.replace(/[^/]*(?:@|%40)[^/]*/g, MASK);
