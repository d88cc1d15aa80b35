/**
 * Who did what to which object: one row for each write, in the transaction of its effect, so that no request that dies
 * leaves an effect without its row.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Tx } from '../db/database.ts';
import { askLast } from '../db/sent-together.ts';
import { firstCharacters } from '../domain/characters.ts';
import { insertAuditEntry, insertWorkspaceAuditEntry } from '../resources/audit-log/audit-log.queries.ts';
import type { Actor } from './authenticate.ts';
import type { Route, RouteRequest } from './route.ts';

export interface Audit {
  /** Keeps what the object was before. */
  keep: (before: unknown, objectId?: string) => void;
  /** Writes the row: `after` is what the write made of the object. */
  write: (tx: Tx, after: unknown, madeId?: string) => Promise<void>;
}

/** Never kept in an audit row, whatever the operation. */
const SECRET_FIELDS = new Set([
  'secret',
  'previousSecret',
  'password',
  'key',
  'keys',
  'productKeys',
  'card',
  // It is a card's number with a word before it.
  'sandboxCustomerId',
  'validationSecret',
  'secretKey',
  // What lets us into another's account.
  'credentials',
  // Links that pay, change a card or open a document for whoever has them: a row outlives whom they are meant for.
  'payUrl',
  'cardUrl',
  'invoiceUrl',
  'creditNoteUrl',
  // The bearer of a buyer's session, and what proves a mailbox.
  'token',
]);
/** Of an answer that is shown once the link is what must not be kept. */
const WITH_LINKS = new Set([...SECRET_FIELDS, 'url']);
/** Whose `url` opens them for whoever has it, in whatever answer they stand. A webhook's is what is changed of it. */
const OPENED_BY_URL: ReadonlySet<unknown> = new Set([
  'checkout_session',
  'portal_session',
  'invoice',
  'export',
]);

interface Auditing {
  input: RouteRequest<unknown, unknown, unknown>;
  actor: Actor;
  request: { headers: IncomingHttpHeaders };
}

/** What a tool says for the program that called it. */
const CLIENT = 'x-counterfoil-client';
const CLIENT_MAX = 60;

export function createAudit(route: Route, { input, actor, request }: Auditing): Audit {
  const { ctx, scope, requestId } = input;
  const client = readClient(request.headers[CLIENT]);
  const hidden = route.answersSecret ? WITH_LINKS : SECRET_FIELDS;
  let before: unknown = null;
  let keptId: string | null = null;
  return {
    keep: (was, objectId) => {
      before = was;
      keptId = objectId ?? null;
    },
    write: async (tx, after, madeId) => {
      // What belongs to no store is on no store's clock: a test clock may be years ahead.
      const createdAt = route.ofWorkspace ? ctx.realNowMs() : ctx.nowMs;
      const inPath = Object.values((input.params ?? {}) as Record<string, string>).at(-1);
      const entry = {
        id: ctx.ids.next(createdAt),
        actor: actor.name,
        client,
        operation: route.operationId,
        objectId: keptId ?? inPath ?? madeId ?? firstId(after),
        before: withoutSecrets(before, hidden),
        after: withoutSecrets(after, hidden),
        requestId,
        createdAt,
      };
      if (route.ofWorkspace) await insertWorkspaceAuditEntry(tx, scope.workspaceId, entry);
      else await askLast(tx, () => insertAuditEntry(tx, scope, entry));
    },
  };
}

/** Written as in a URL, for names that no header can hold. */
export function readClient(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string' || header === '') return null;
  try {
    return firstCharacters(decodeURIComponent(header).replace(/\p{C}/gu, ''), CLIENT_MAX) || null;
  } catch {
    return null;
  }
}

function firstId(data: unknown): string | null {
  for (const value of Object.values((data ?? {}) as Record<string, unknown>)) {
    if (typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string')
      return value.id;
  }
  return null;
}

function withoutSecrets(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (value === null || value === undefined) return null;
  return JSON.parse(
    JSON.stringify(value, function (this: { object?: unknown }, key, inner: unknown) {
      const isHidden = hidden.has(key) || (key === 'url' && OPENED_BY_URL.has(this.object));
      return isHidden ? undefined : inner;
    }),
  );
}
