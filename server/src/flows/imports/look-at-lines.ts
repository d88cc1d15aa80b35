/**
 * What becomes of each line of a batch, without a write: the plan is this code, and the commit runs it once more before it
 * writes.
 */
import type { Step } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { readTogether } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import {
  type Brought,
  type Decision,
  decideOutcome,
  type Fault,
  SETTLED_KINDS,
} from '../../domain/imports/decide.ts';
import { type ImportLine, type LineKind, listNamed } from '../../domain/imports/lines.ts';
import type { LineRow } from '../../resources/imports/import-rows.queries.ts';
import type { ImportRow } from '../../resources/imports/imports.queries.ts';
import { listVersions, listWaitingIds } from '../../resources/imports/our-objects.queries.ts';
import { type Facts, findFault, loadFacts } from './find-fault.ts';
import { hashBody } from './hash-body.ts';
import { type KnownLines, loadKnown } from './known-lines.ts';
import { type PricedSubscription, priceSubscription } from './price-subscription.ts';

export interface Looked {
  row: LineRow;
  /** Null where the line could not be read. */
  line: ImportLine | null;
  bodyHash: string;
  brought: Brought | null;
  decision: Decision;
  /** Of a subscription that is brought in. */
  priced: PricedSubscription | null;
}

export interface Looking {
  db: Db;
  imported: ImportRow;
  /** Of one kind. */
  rows: readonly LineRow[];
}

export interface LookedBatch {
  looked: Looked[];
  known: KnownLines;
  facts: Facts;
}

export const REFUSED = {
  outcome: 'refused' as const,
  warnings: [],
  charges: [],
  priceChange: null,
  ours: null,
};

export async function lookAtLines(
  ctx: Step,
  scope: Scope,
  { db, imported, rows }: Looking,
): Promise<LookedBatch> {
  const known = await loadKnown(db, scope, { imported, rows });
  const facts = await loadFacts(db, scope, { imported, rows, known });
  const standing = await loadStanding(db, scope, { rows, known });
  const looked = await readTogether(db, (together) =>
    Promise.all(rows.map((row) => lookAt(ctx, scope, { db: together, row, known, facts, standing }))),
  );
  return { looked, known, facts };
}

interface LookingAt {
  db: Db;
  row: LineRow;
  known: KnownLines;
  facts: Facts;
  standing: StandingObjects;
}

async function lookAt(
  ctx: Step,
  scope: Scope,
  { db, row, known, facts, standing }: LookingAt,
): Promise<Looked> {
  if (row.body === null) return toUnread(row);
  // Held to the schema of its kind when it was received.
  const line = row.body as ImportLine;
  const bodyHash = hashBody(line);
  const { brought, inFile } = known.find(line.kind, line.ref);
  const base = { row, line, bodyHash, brought, priced: null };
  const fault =
    findReferenceFault(row, { line, known, first: inFile?.line }) ??
    findFault(ctx, { line, place: row.line, known, facts });
  if (fault) return { ...base, decision: { ...REFUSED, fault } };
  const own = brought ?? findSameBuyer(line, facts);
  const version = own ? (standing.versions.get(own.objectId) ?? null) : null;
  const isSettled =
    SETTLED_KINDS.has(line.kind) ||
    (line.kind === 'subscription' && own !== null && !standing.waiting.has(own.objectId));
  // A card whose processor is not connected cannot come: a later import looks at it anew.
  const isLeft = line.kind === 'payment_method' && own === null && facts.connectionId === null;
  const outcome = isLeft ? 'same' : decideOutcome({ brought: own, version, bodyHash, isSettled });
  const decision: Decision = {
    ...{ outcome, fault: null, warnings: facts.warnings(line), charges: [], priceChange: null },
    ours: own ? { id: own.objectId, version } : null,
  };
  if (line.kind !== 'subscription' || isSettled) return { ...base, decision };
  const priced = await priceSubscription(ctx, scope, { db, line, known, facts });
  const { warnings, charges, priceChange } = priced;
  return { ...base, priced, decision: { ...decision, warnings, charges, priceChange } };
}

function toUnread(row: LineRow): Looked {
  const { code, path, message } = row;
  assert(code !== null && message !== null, 'a line that could not be read says why');
  const decision = { ...REFUSED, fault: { code, path, message } };
  return { row, line: null, bodyHash: '', brought: null, decision, priced: null };
}

/** Somebody who bought here before is the buyer there: what was typed here stays, what is missing is filled in. */
function findSameBuyer(line: ImportLine, facts: Facts): Brought | null {
  if (line.kind !== 'customer') return null;
  const user = facts.findUser(line.email);
  if (!user) return null;
  return { objectId: user.id, bodyHash: '', objectVersion: user.version };
}

function findReferenceFault(
  row: LineRow,
  { line, known, first }: { line: ImportLine; known: KnownLines; first: number | undefined },
): Fault | null {
  if (first !== undefined && first < row.line)
    return { code: 'duplicate_ref', path: 'ref', message: `stands on line ${first} already` };
  for (const { kind, ref, path } of listNamed(line)) {
    const { inFile, brought } = known.find(kind, ref);
    if (inFile?.isRefused && !brought)
      return {
        code: 'reference_refused',
        path,
        message: `names ${ref}, a line of kind ${kind} that is refused`,
      };
    if (!inFile && !brought)
      return {
        code: 'unknown_reference',
        path,
        message: `names no ${kind} of this file or an earlier one: ${ref}`,
      };
  }
  return null;
}

interface StandingObjects {
  versions: ReadonlyMap<string, number>;
  waiting: ReadonlySet<string>;
}

async function loadStanding(
  db: Db,
  scope: Scope,
  { rows, known }: { rows: readonly LineRow[]; known: KnownLines },
): Promise<StandingObjects> {
  const [first] = rows;
  if (!first) return { versions: new Map(), waiting: new Set() };
  // Only lines of known kinds have bodies.
  const kind = first.kind as LineKind;
  const ids = rows.flatMap(({ ref }) =>
    ref === null ? [] : (known.find(kind, ref).brought?.objectId ?? []),
  );
  const [versions, waiting] = await Promise.all([
    listVersions(db, scope, { kind, ids }),
    kind === 'subscription' ? listWaitingIds(db, scope, ids) : new Set<string>(),
  ]);
  return { versions, waiting };
}
