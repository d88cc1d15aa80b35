/** The balance: each movement as a balance transaction, converted by the fixed table, paid out daily. */
import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import { emit } from '../events/emit.ts';
import { blankPayout } from '../objects/blank.ts';
import { convert, toRate } from '../world/currencies.ts';
import { type Account, accountOf, insert, listRows, type Row, save } from '../world/rows.ts';

const FEE_SHARE = 0.015;
const FEE_FIXED = 25;
/** What a dispute costs, in minor units of the account's currency. */
const DISPUTE_FEE = 2000;
const PENDING_S = 2 * 86_400;
export const DAY_MS = 86_400_000;

interface Movement {
  type: Stripe.BalanceTransaction['type'];
  category: string;
  /** In `currency`; what leaves is negative. */
  amount: number;
  currency: string;
  source: string;
  description?: string | null;
  feeMinor?: number;
  isAvailableAtOnce?: boolean;
}

export function move(world: World, account: Account, movement: Movement): Row<Stripe.BalanceTransaction> {
  const { currency } = account;
  const amount = convert(movement.amount, movement.currency, currency);
  const fee = movement.feeMinor ?? 0;
  const isAtOnce = movement.isAvailableAtOnce ?? movement.amount < 0;
  return insert(world, 'balance_transaction', account, {
    id: world.id('txn'),
    object: 'balance_transaction',
    amount,
    available_on: isAtOnce ? world.now : world.now + PENDING_S,
    balance_type: 'payments',
    created: world.now,
    currency,
    description: movement.description ?? null,
    exchange_rate: movement.currency === currency ? null : toRate(movement.currency, currency),
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency,
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: movement.category,
    source: movement.source,
    status: isAtOnce ? 'available' : 'pending',
    type: movement.type,
  });
}

/** 1.5 % and 25 minor units of the account's currency. */
export function toFee(account: Account, amount: number, currency: string): number {
  return Math.round(convert(amount, currency, account.currency) * FEE_SHARE) + FEE_FIXED;
}

export function toDisputeFee(): number {
  return DISPUTE_FEE;
}

export function sumBalance(world: World, account: Account): { available: number; pending: number } {
  const sums = { available: 0, pending: 0 };
  for (const { data } of listRows(world, 'balance_transaction', account)) {
    if (data.available_on <= world.now) sums.available += data.net;
    else sums.pending += data.net;
  }
  return sums;
}

/** What became available, and one payout of all of it. */
export function payOut(world: World, args: Record<string, unknown>): void {
  const account = accountOf(world, { account: String(args.account) });
  world.at(world.nowMs + DAY_MS, 'payOut', { account: account.id });
  for (const row of listRows(world, 'balance_transaction', account)) {
    if (row.data.status === 'pending' && row.data.available_on <= world.now) {
      row.data.status = 'available';
      save(world, 'balance_transaction', row);
    }
  }
  const { available } = sumBalance(world, account);
  if (available <= 0 || account.isClosed) return;
  const payout = { ...blankPayout(world, account), amount: available };
  const row = insert(world, 'payout', account, payout);
  const movement = move(world, account, {
    type: 'payout',
    category: 'payout',
    amount: -available,
    currency: account.currency,
    source: payout.id,
    description: 'STRIPE PAYOUT',
  });
  payout.balance_transaction = movement.data.id;
  emit(world, account, 'payout.created', { ...payout, status: 'in_transit' });
  emit(world, account, 'payout.paid', payout);
  save(world, 'payout', row);
}

/** The bank sends it back. */
export function failPayout(world: World, row: Row<Stripe.Payout>): void {
  const account = accountOf(world, row);
  const back = move(world, account, {
    type: 'payout_failure',
    category: 'payout_reversal',
    amount: row.data.amount,
    currency: row.data.currency,
    source: row.data.id,
    isAvailableAtOnce: true,
  });
  row.data.status = 'failed';
  row.data.failure_code = 'account_closed';
  row.data.failure_message = 'The bank account has been closed';
  row.data.failure_balance_transaction = back.data.id;
  save(world, 'payout', row);
  emit(world, account, 'payout.failed', row.data);
}
