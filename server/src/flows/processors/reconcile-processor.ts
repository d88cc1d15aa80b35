/**
 * A connection's books held against ours, over a window of real time: what is behind is brought up, movements are linked,
 * and what is found is kept as a report. Each of its steps may be repeated: whatever two runs find at once, they do once.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import {
  areAcknowledged,
  chooseShown,
  countFindings,
  type Finding,
  type FindingCounts,
  isAlarming,
} from '../../domain/processors/findings.ts';
import {
  type BookedBalance,
  type BookedMovement,
  type MovementsWindow,
  type ProcessorBooks,
  readWhole,
} from '../../providers/payment/books.ts';
import {
  type BalanceSum,
  sumClearing,
  sumOnItsWay,
  sumWithheld,
} from '../../resources/processors/processor-books.queries.ts';
import {
  findReport,
  insertReport,
  listAcknowledgedReports,
} from '../../resources/processors/processor-reports.queries.ts';
import { findProcessor, updateProcessor } from '../../resources/processors/processors.queries.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';
import { openProvider } from '../payments/provider-of.ts';
import { compareCharges } from './compare-charges.ts';
import { compareDisputes } from './compare-disputes.ts';
import { compareRefunds } from './compare-refunds.ts';
import { linkMovements } from './link-movements.ts';

export type Report = Row<'processorReports'>;

/** By so much at most is a movement in the processor's books behind its time. */
const BOOKED_LATE_MS = 3 * 24 * 3_600_000;

export interface Reconciling {
  id: string;
  /** Real ms; the end is not part of it. */
  fromMs: number;
  toMs: number;
  /** The daily one: the next begins where it ends. */
  isDaily?: boolean;
  /** Runs in the transaction that writes the report. */
  finish?: (tx: Tx, report: Report) => Promise<void>;
}

/** Throws not_found, processor_state where there are no books or nobody is let in, and processor_unreachable. */
export async function reconcileProcessor(ctx: Context, scope: Scope, asked: Reconciling): Promise<Report> {
  const { id, fromMs, toMs, isDaily = false, finish } = asked;
  const row = await findProcessor(ctx.db, scope, id);
  if (!row) throw new Refusal('not_found');
  const provider = openProvider(ctx, scope, row);
  const books = provider?.books;
  if (row.health === 'broken')
    throw new Refusal('processor_state', {
      message: 'The processor is broken: it lets nobody read its books.',
    });
  if (!provider || !books || row.credentials === null)
    throw new Refusal('processor_state', { message: 'It has no books that could be read.' });
  const sinceMs = (row.reconciledTo ?? row.createdAt) - BOOKED_LATE_MS;
  const read = await readBooks(books, { fromMs, toMs, sinceMs });
  const findings: Finding[] = [
    ...(await compareCharges(ctx, scope, { row, provider, toMs, booked: read.charges })),
    ...(await compareRefunds(ctx, scope, { connectionId: id, booked: read.refunds })),
  ];
  await compareDisputes(ctx, scope, { connectionId: id, booked: read.disputes });
  await linkMovements(ctx, scope, { connectionId: id, movements: read.movements, toMs });
  const ours = [
    ...(await sumClearing(ctx.db, scope, id)),
    // A pending refund may have left theirs already.
    ...(await sumOnItsWay(ctx.db, scope, id)),
    // An open dispute has left our account of it already.
    ...(books.keepsDisputed ? await sumWithheld(ctx.db, scope, id) : []),
  ];
  const sums = toSums(ours, read.balances);
  return inTransaction(ctx.db, async (tx) => {
    const report = await write(ctx, scope, { tx, row, window: { fromMs, toMs }, findings, sums });
    const realNowMs = ctx.realNowMs();
    if (isDaily) await updateProcessor(tx, scope, { id, reconciledTo: toMs, reconciledAt: realNowMs });
    await finish?.(tx, report);
    return report;
  });
}

type Window = Pick<Reconciling, 'fromMs' | 'toMs'>;

/** Read before anything is compared: of half of a book nothing is concluded. */
async function readBooks(books: ProcessorBooks, { sinceMs, ...window }: Window & { sinceMs: number }) {
  try {
    // In turn: beside these calls buyers wait.
    return {
      movements: await readMovements(books, { ...window, sinceMs }),
      charges: await readWhole((page) => books.listCharges(page), window),
      refunds: await readWhole((page) => books.listRefunds(page), window),
      disputes: await readWhole((page) => books.listDisputes(page), window),
      balances: await books.readBalances(),
    };
  } catch (cause) {
    throw new Refusal('processor_unreachable', { cause });
  }
}

/**
 * Balances are of this moment, so what moved behind the window belongs to them as well. Until `sinceMs` the daily runs have
 * read it: of a window that ended long before nothing between is read again.
 */
async function readMovements(
  books: ProcessorBooks,
  { sinceMs, fromMs, toMs }: Window & { sinceMs: number },
): Promise<BookedMovement[]> {
  const read = (window: Pick<MovementsWindow, 'fromMs' | 'toMs'>) =>
    readWhole((page: MovementsWindow) => books.listMovements(page), window);
  if (toMs >= sinceMs) return read({ fromMs, toMs: null });
  return [...(await read({ fromMs: sinceMs, toMs: null })), ...(await read({ fromMs, toMs }))];
}

interface Sum {
  currency: string;
  ours: number;
  theirs: number;
}

function toSums(ours: readonly BalanceSum[], theirs: BookedBalance[]): Sum[] {
  const currencies = [...new Set([...ours, ...theirs].map(({ currency }) => currency))].sort();
  return currencies.map((currency) => ({
    currency,
    ours: Number(
      ours.filter((one) => one.currency === currency).reduce((sum, { amount }) => sum + amount, 0n),
    ),
    theirs: Number(theirs.find((one) => one.currency === currency)?.amountMinor ?? 0n),
  }));
}

interface Writing {
  tx: Tx;
  row: Row<'processors'>;
  window: Window;
  findings: readonly Finding[];
  sums: readonly Sum[];
}

async function write(
  ctx: Context,
  scope: Scope,
  { tx, row, window: { fromMs: fromAt, toMs: toAt }, findings, sums }: Writing,
): Promise<Report> {
  const createdAt = ctx.realNowMs();
  const id = ctx.ids.next(createdAt);
  const counts = countFindings(findings);
  const isOpen = isAlarming(counts);
  const note = isOpen ? await findNote(tx, scope, { row, fromAt, findings }) : null;
  await insertReport(tx, scope, {
    ...{ id, connectionId: row.id, fromAt, toAt, createdAt },
    ...{ acknowledgedAt: note === null ? null : createdAt, acknowledgedNote: note },
    counts: toJson(counts),
    findings: toJson(chooseShown(findings)),
    sums: toJson(sums),
  });
  if (isOpen && note === null) await tellOwners(ctx, scope, { tx, row, counts, reportId: id });
  const report = await findReport(tx, scope, id);
  assert(report, 'it was written just now');
  return report;
}

/** Days follow one another with windows that overlap: this many reports back somebody has said so, or says so again. */
const ACKNOWLEDGED_MAX = 30;

/** What was acknowledged already is found again until it is out of the window: the note that it bears by now. */
async function findNote(
  tx: Tx,
  scope: Scope,
  { row, fromAt, findings }: Pick<Writing, 'row' | 'findings'> & { fromAt: number },
): Promise<string | null> {
  const asked = { connectionId: row.id, fromAt, limit: ACKNOWLEDGED_MAX };
  const earlier = await listAcknowledgedReports(tx, scope, asked);
  // Written by `write`, in this form.
  const known = earlier.flatMap((report) => report.findings as Finding[]);
  return areAcknowledged(findings, known) ? (earlier[0]?.acknowledgedNote ?? null) : null;
}

async function tellOwners(
  ctx: Context,
  scope: Scope,
  { tx, row, counts, reportId }: Pick<Writing, 'tx' | 'row'> & { counts: FindingCounts; reportId: string },
): Promise<void> {
  const { missing_money: missing, unknown_money: unknown, amount_differs: differs } = counts;
  const params = { name: row.name, missing, unknown, differs };
  const key = `processor_report:${reportId}`;
  await queueOwnerMails(tx, scope, [{ kind: 'processor_report', params, key, at: ctx.nowMs }]);
}
