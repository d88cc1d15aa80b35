/**
 * The sandbox's own books in PostgreSQL. Each step is one named statement outside any transaction of ours:
 * the row's lock and key decide every race.
 */
import pg from 'pg';
import { assert } from '../../../domain/assert.ts';
import { readWorkspace } from '../../../domain/link-token.ts';
import { type CardWallet, isCardWallet } from '../../../domain/processors/card-words.ts';
import type { CardExpiry } from '../method-details.ts';
import type { ProviderScope } from '../payment-provider.ts';
import { DECLINES, type DeclineReason } from './declines.ts';
import { gatherCalls } from './gather-calls.ts';

export type SandboxStatus = 'requires_action' | 'pending' | 'unknown' | 'succeeded' | 'failed' | 'cancelled';

/** The customer of a charge that was cancelled before it came. */
export const NEVER_SEEN = '';

export interface SandboxCharge {
  id: string;
  customer: string;
  /** Null for a bank transfer. */
  cardName: string | null;
  wallet: CardWallet | null;
  /** As it was typed; null for a stored card, and for a bank transfer. */
  expiry: CardExpiry | null;
  amountMinor: bigint;
  currency: string;
  /** Owed to the processor if the charge succeeds. */
  feeMinor: bigint;
  status: SandboxStatus;
  /** Never null while pending or unknown. */
  settlesAtMs: number | null;
  /** Never null once failed. */
  declineReason: DeclineReason | null;
  disputeAtMs: number | null;
  /** The word of its authentication page; null where none was asked for. */
  actionToken: string | null;
  createdAtMs: number;
}

export interface SandboxRefund {
  id: string;
  chargeId: string;
  amountMinor: bigint;
  createdAtMs: number;
}

/** What a customer's earlier charges with one card say: was one taken, and was one for money? */
export interface CardHistory {
  hasSucceeded: boolean;
  hasPaid: boolean;
}

export interface SandboxStore {
  /** False when the id is taken: nothing was written. */
  insertCharge(scope: ProviderScope, charge: SandboxCharge): Promise<boolean>;
  /** The charge after what has fallen due by `nowMs` was settled. */
  settleCharge(scope: ProviderScope, id: string, nowMs: number): Promise<SandboxCharge | undefined>;
  /**
   * Settles what has fallen due, else cancels if no money was taken and it is known that none will be. Of a charge that
   * has not come a cancelled one is kept, so that it takes nothing when it does.
   */
  cancelCharge(scope: ProviderScope, id: string, nowMs: number): Promise<SandboxCharge>;
  /** Ends a waiting authentication: `declineReason` null = it succeeds. Undefined when none was waiting. */
  endAction(
    scope: ProviderScope,
    id: string,
    declineReason: DeclineReason | null,
  ): Promise<SandboxCharge | undefined>;
  /** The charge that an authentication page is about, whatever has become of it. */
  findByAction(token: string): Promise<{ scope: ProviderScope; chargeId: string } | undefined>;
  findHistory(scope: ProviderScope, customer: string, cardName: string): Promise<CardHistory>;
  /** False when the id is taken, or the charge has not succeeded or has not that much left: nothing was written. */
  insertRefund(scope: ProviderScope, refund: SandboxRefund): Promise<boolean>;
  findRefund(scope: ProviderScope, id: string): Promise<SandboxRefund | undefined>;
}

const KEY = 'workspace_id = $1 and test_mode = $2 and id = $3';

const INSERT_CHARGES = `
  insert into sandbox_charges (workspace_id, test_mode, id, customer, card, wallet, exp_month, exp_year, amount,
    currency, fee, status, settles_at, decline_reason, dispute_at, action_token,
    created_at)
  select workspace_id, test_mode, id, customer, card, wallet, exp_month, exp_year, amount,
    currency, fee, status, settles_at, decline_reason, dispute_at, action_token,
    created_at
  from jsonb_populate_recordset(null::sandbox_charges, $1)
  on conflict do nothing returning workspace_id, test_mode, id`;

// An update even where nothing has fallen due: it waits for a cancel under way and then sees its result,
// which a select of the same moment would not.
const SETTLE_CHARGE = `
  update sandbox_charges set status = case when settles_at <= $4 and status in ('pending', 'unknown')
    then 'succeeded' else status end
  where ${KEY} returning *`;

// One statement for both, so that a charge which comes at the same time is either stopped or found.
const CANCEL_CHARGE = `
  insert into sandbox_charges as c (workspace_id, test_mode, id, customer, amount, currency, fee, status, created_at)
  values ($1, $2, $3, '${NEVER_SEEN}', 0, '', 0, 'cancelled', $4)
  on conflict (workspace_id, test_mode, id) do update set status = case
    when c.settles_at <= $4 and c.status in ('pending', 'unknown') then 'succeeded'
    when c.status in ('requires_action', 'pending') then 'cancelled'
    else c.status end
  returning *`;

const END_ACTION = `
  update sandbox_charges set status = $4, decline_reason = $5
  where ${KEY} and status = 'requires_action' returning *`;

const FIND_BY_ACTION =
  'select workspace_id, test_mode, id from sandbox_charges where workspace_id = $1 and action_token = $2';

const FIND_HISTORY = `
  select count(*) > 0 as has_succeeded, coalesce(bool_or(amount > 0), false) as has_paid
  from sandbox_charges
  where workspace_id = $1 and test_mode = $2 and customer = $3 and card = $4
    and status = 'succeeded' and card in ('authentication', 'charge_once')`;

// The charge's own sum is raised under its row lock, so that refunds at the same time never overrun it; the
// refund's key undoes the raise of a call that came twice.
const RAISE_REFUNDED = `
    update sandbox_charges set refunded = refunded + $5::numeric
    where workspace_id = $1 and test_mode = $2 and id = $4 and status = 'succeeded'
      and refunded + $5::numeric <= amount
      and not exists (select 1 from sandbox_refunds where ${KEY})`;

const REFUND_COLUMNS = 'workspace_id, test_mode, id, charge_id, amount, created_at';

const INSERT_REFUND = `
  with charge as (${RAISE_REFUNDED}
    returning id)
  insert into sandbox_refunds (${REFUND_COLUMNS})
  select $1, $2, $3, id, $5, $6 from charge`;

const INSERT_REFUND_APART = `insert into sandbox_refunds (${REFUND_COLUMNS}) values ($1, $2, $3, $4, $5, $6)`;

const FIND_REFUND = `select id, charge_id, amount, created_at from sandbox_refunds where ${KEY}`;

const UNIQUE_VIOLATION = '23505';

/** Takes a pool with or without parsers of its own for int8 and numeric, of a store that is spread or not. */
export function createSandboxStore(pool: pg.Pool, isSpread: () => boolean = () => false): SandboxStore {
  const run = <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
    pool.query<Row>({ name: `sandbox_${name}`, text, values });
  const runOnCharge = async (name: string, text: string, values: unknown[]) => {
    const { rows } = await run<ChargeRow>(name, text, values);
    return rows[0] && toCharge(rows[0]);
  };
  const insertCharges = async (charges: NewCharge[]): Promise<boolean[]> => {
    const { rows } = await run<InsertedCharge>('insert_charges', INSERT_CHARGES, [
      JSON.stringify(charges.map(toNewRow)),
    ]);
    const inserted = new Set(rows.map(toName));
    // Of one charge that was asked for twice at once, the first is it.
    return charges.map((charge) => inserted.delete(toName(toNewRow(charge))));
  };
  const insertCharge = gatherCalls(insertCharges);
  return {
    insertCharge: (scope, charge) => insertCharge({ scope, charge }),
    settleCharge: (scope, id, nowMs) => runOnCharge('settle', SETTLE_CHARGE, [...toKey(scope), id, nowMs]),
    cancelCharge: async (scope, id, nowMs) => {
      const standing = await runOnCharge('cancel', CANCEL_CHARGE, [...toKey(scope), id, nowMs]);
      assert(standing, 'a cancel leaves its charge behind');
      return standing;
    },
    endAction: (scope, id, declineReason) => {
      const status: SandboxStatus = declineReason === null ? 'succeeded' : 'failed';
      return runOnCharge('end_action', END_ACTION, [...toKey(scope), id, status, declineReason]);
    },
    async findByAction(token) {
      const workspaceId = readWorkspace(token);
      if (workspaceId === null) return undefined;
      const { rows } = await run<InsertedCharge>('find_by_action', FIND_BY_ACTION, [workspaceId, token]);
      const [row] = rows;
      if (!row) return undefined;
      return { scope: { workspaceId: row.workspace_id, testMode: row.test_mode }, chargeId: row.id };
    },
    async findHistory(scope, customer, cardName) {
      const { rows } = await run<{ has_succeeded: boolean; has_paid: boolean }>(
        'find_history',
        FIND_HISTORY,
        [...toKey(scope), customer, cardName],
      );
      return { hasSucceeded: rows[0]?.has_succeeded ?? false, hasPaid: rows[0]?.has_paid ?? false };
    },
    async insertRefund(scope, { id, chargeId, amountMinor, createdAtMs }) {
      const values = [...toKey(scope), id, chargeId, String(amountMinor), createdAtMs];
      try {
        if (isSpread()) return await insertRefundApart(pool, values);
        return (await run('insert_refund', INSERT_REFUND, values)).rowCount === 1;
      } catch (error) {
        if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) return false;
        throw error;
      }
    },
    async findRefund(scope, id) {
      const { rows } = await run<RefundRow>('find_refund', FIND_REFUND, [...toKey(scope), id]);
      return rows[0] && toRefund(rows[0]);
    },
  };
}

/** By a statement for each table, in a short transaction. */
async function insertRefundApart(pool: pg.Pool, values: unknown[]): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rowCount } = await client.query(RAISE_REFUNDED, values.slice(0, -1));
    if (rowCount === 1) await client.query(INSERT_REFUND_APART, values);
    await client.query('commit');
    return rowCount === 1;
  } catch (error) {
    // A connection that cannot say so any more is broken, and what was begun on it ends with it.
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** Money and times arrive as text, or parsed where the pool does so. */
interface ChargeRow {
  id: string;
  customer: string;
  card: string | null;
  wallet: string | null;
  exp_month: number | null;
  exp_year: number | null;
  amount: string | bigint;
  currency: string;
  fee: string | bigint;
  status: SandboxStatus;
  settles_at: string | number | null;
  decline_reason: string | null;
  dispute_at: string | number | null;
  action_token: string | null;
  created_at: string | number;
}

interface RefundRow {
  id: string;
  charge_id: string;
  amount: string | bigint;
  created_at: string | number;
}

function toKey({ workspaceId, testMode }: ProviderScope): [string, boolean] {
  return [workspaceId, testMode];
}

interface NewCharge {
  scope: ProviderScope;
  charge: SandboxCharge;
}

type InsertedCharge = Pick<ReturnType<typeof toNewRow>, 'workspace_id' | 'test_mode' | 'id'>;

function toNewRow({ scope, charge }: NewCharge) {
  return {
    workspace_id: scope.workspaceId,
    test_mode: scope.testMode,
    id: charge.id,
    customer: charge.customer,
    card: charge.cardName,
    wallet: charge.wallet,
    exp_month: charge.expiry?.month ?? null,
    exp_year: charge.expiry?.year ?? null,
    amount: String(charge.amountMinor),
    currency: charge.currency,
    fee: String(charge.feeMinor),
    status: charge.status,
    settles_at: charge.settlesAtMs,
    decline_reason: charge.declineReason,
    dispute_at: charge.disputeAtMs,
    action_token: charge.actionToken,
    created_at: charge.createdAtMs,
  };
}

function toName({ workspace_id, test_mode, id }: InsertedCharge): string {
  return `${workspace_id}:${test_mode}:${id}`;
}

function toCharge(row: ChargeRow): SandboxCharge {
  const { wallet, decline_reason: reason, exp_month: month, exp_year: year } = row;
  assert(wallet === null || isCardWallet(wallet), 'a stored wallet is a known one');
  assert(reason === null || isDeclineReason(reason), 'a stored decline has a known reason');
  return {
    id: row.id,
    customer: row.customer,
    cardName: row.card,
    wallet,
    expiry: month === null || year === null ? null : { year, month },
    amountMinor: BigInt(row.amount),
    currency: row.currency,
    feeMinor: BigInt(row.fee),
    status: row.status,
    settlesAtMs: toMs(row.settles_at),
    declineReason: reason,
    disputeAtMs: toMs(row.dispute_at),
    actionToken: row.action_token,
    createdAtMs: Number(row.created_at),
  };
}

function toRefund(row: RefundRow): SandboxRefund {
  const { id, charge_id: chargeId, amount, created_at: createdAt } = row;
  return { id, chargeId, amountMinor: BigInt(amount), createdAtMs: Number(createdAt) };
}

function toMs(value: string | number | null): number | null {
  return value === null ? null : Number(value);
}

function isDeclineReason(text: string): text is DeclineReason {
  return Object.hasOwn(DECLINES, text);
}
