/**
 * The sweep: what nobody uses is suspended, later archived, in the end purged, and its people are told before each step.
 * A warning counts once it was sent, so that without a mail server nothing is ever swept. Times are real.
 */
import type { Service } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { planSweep, type SweepDays, type SweepPlan, type Warned } from '../../domain/workspaces/sweep.ts';
import { findAccountMailStatus } from '../../resources/accounts/account-mails.queries.ts';
import { listNotified } from '../../resources/team/members.queries.ts';
import { countPaidOrders } from '../../resources/workspaces/paid-orders.queries.ts';
import {
  listSwept,
  putWarned,
  type SweptRow,
  toSweepFacts,
} from '../../resources/workspaces/sweep.queries.ts';
import { lockWorkspace } from '../../resources/workspaces/workspaces.queries.ts';
import { queueAccountMail } from '../accounts/queue-account-mail.ts';
import { archiveWorkspace, suspendWorkspace } from '../workspaces/change-state.ts';
import { purgeWorkspace } from './purge-workspace.ts';
import { tellOfState } from './tell-of-state.ts';

/** Workspaces of one look. */
const GROUP_SIZE = 100;
/** A warning is tried to be sent for so long. */
const MAIL_LIFE_MS = 24 * 3_600_000;

export interface Swept {
  row: SweptRow;
  plan: SweepPlan;
}

/** What the sweep has in mind with each workspace that it has anything to do with, in the order of their ids. */
export async function previewSweep(
  { db }: Pick<Service, 'db'>,
  { days, nowMs }: { days: SweepDays; nowMs: number },
): Promise<Swept[]> {
  const all: Swept[] = [];
  for await (const swept of plans(db, { days, nowMs })) all.push(swept);
  return all;
}

/** Does what is to be done now; one that fails waits for the next round. Answers how many steps were taken. */
export async function sweepWorkspaces(
  service: Service,
  { days, signal }: { days: SweepDays; signal: AbortSignal },
): Promise<number> {
  const nowMs = service.realNowMs();
  let steps = 0;
  for await (const { row, plan } of plans(service.db, { days, nowMs })) {
    if (signal.aborted) return steps;
    if (plan.now === null) continue;
    const isDone = await carryOut(service, { row, plan, days, nowMs }).catch((error: unknown) => {
      service.log.warn({ err: error, workspaceId: row.id }, 'the sweep could not go on with a workspace');
      return false;
    });
    if (isDone) steps += 1;
  }
  return steps;
}

async function* plans(
  db: Service['db'],
  { days, nowMs }: { days: SweepDays; nowMs: number },
): AsyncGenerator<Swept> {
  let afterId: string | null = null;
  for (;;) {
    const rows: SweptRow[] = await readSwept(db, { afterId, limit: GROUP_SIZE });
    for (const row of rows) {
      const plan = planSweep(toSweepFacts(row), days, nowMs);
      if (plan) yield { row, plan };
    }
    const last = rows.at(-1);
    if (!last || rows.length < GROUP_SIZE) return;
    afterId = last.id;
  }
}

async function readSwept(db: Db, asked: Parameters<typeof listSwept>[1]): Promise<SweptRow[]> {
  const rows = await listSwept(db, asked);
  const ids = rows.map(({ id }) => id);
  const paid = await countPaidOrders(db, ids, 1);
  return rows.map((row) => ({ ...row, hasPaidOrder: (paid.get(row.id) ?? 0) > 0 }));
}

interface Round extends Swept {
  days: SweepDays;
  nowMs: number;
}

async function carryOut(service: Service, round: Round): Promise<boolean> {
  const { row, plan, nowMs } = round;
  if (plan.now !== 'act') return warn(service, round);
  const mayStill = (tx: Tx) => isStillDue(tx, round);
  if (plan.step === 'purged') return purgeWorkspace(service, row.id, mayStill);
  return inTransaction(service.db, async (tx) => {
    if (!(await mayStill(tx))) return false;
    const changing = { tx, workspaceId: row.id, by: 'sweep' as const, realMs: nowMs };
    const { step } = plan;
    const isDone = await (step === 'suspended' ? suspendWorkspace(changing) : archiveWorkspace(changing));
    if (isDone && step !== 'purged')
      await tellOfState(service, tx, {
        workspaceId: row.id,
        workspaceName: row.name,
        step,
        by: 'sweep',
        nowMs,
      });
    return isDone;
  });
}

/** Looks again under the lock: somebody may have come back, or bought, meanwhile. */
async function isStillDue(tx: Tx, { row, plan, days, nowMs }: Round): Promise<boolean> {
  if (!(await lockWorkspace(tx, row.id))) return false;
  const [now] = await readSwept(tx, { afterId: null, limit: 1, id: row.id });
  const again = now ? planSweep(toSweepFacts(now), days, nowMs) : null;
  return again?.now === 'act' && again.step === plan.step;
}

/** Queues the mail, or notes that the one on its way was sent. Nobody to be told is nobody to be swept. */
async function warn(service: Service, { row, plan, nowMs }: Round): Promise<boolean> {
  if (service.mail === null || row.ownerEmail === null) return false;
  const { step, actsAt, now } = plan;
  const isSame = row.step === step;
  const { noticedAt, firstAt, secondAt } = isSame ? row : { noticedAt: null, firstAt: null, secondAt: null };
  const before: Warned = { step, noticedAt, firstAt, secondAt };
  const status =
    isSame && row.mailId !== null ? await findAccountMailStatus(service.db, row.mailId) : undefined;
  if (status === 'queued') return false;
  if (status === 'sent') {
    const word = now === 'notice' ? 'noticedAt' : now === 'first' ? 'firstAt' : 'secondAt';
    const after = { ...before, [word]: nowMs };
    await inTransaction(service.db, (tx) =>
      putWarned(tx, { ...after, workspaceId: row.id, mailId: null, actsAt }),
    );
    return true;
  }
  await inTransaction(service.db, async (tx) => {
    const to = await listNotified(tx, row.id, 'workspace');
    let mailId: string | null = null;
    for (const { emailNormal, role } of to) {
      const id = await queueAccountMail({ ids: service.ids, nowMs }, tx, {
        kind: 'inactivity',
        to: emailNormal,
        params: { workspaceName: row.name, step, atMs: actsAt },
        lifeMs: MAIL_LIFE_MS,
      });
      if (role === 'owner') mailId = id;
    }
    await putWarned(tx, { ...before, workspaceId: row.id, mailId, actsAt });
  });
  return true;
}
