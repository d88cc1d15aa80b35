/** The account's balance, movement by movement. */
import type { World } from '../../../core/world.ts';
import { type Account, insert, type Movement, type Row, save } from '../world/rows.ts';

const FEE_SHARE = 0.0249;
const FEE_FIXED_MINOR = 35;

/** A payment bears PayPal's fee, which a refund does not bring back. */
export function addMovement(
  world: World,
  account: Account,
  moved: Omit<Movement, 'atMs' | 'feeMinor' | 'status'>,
  status: Movement['status'] = 'S',
): Movement {
  const isPayment = moved.code === 'T0006';
  const fee = isPayment ? Math.round(moved.amountMinor * FEE_SHARE) + FEE_FIXED_MINOR : 0;
  const feeMinor = fee === 0 ? 0 : -Math.min(fee, moved.amountMinor);
  const movement: Movement = { ...moved, atMs: world.nowMs, status, feeMinor };
  insert(world, 'movement', account, moved.id, movement);
  return movement;
}

/** What waited has come about, waits again, or will not. */
export function moveMovement(world: World, id: string, status: Movement['status']): void {
  const row = world.store.get<Row<Movement>>('movement', id);
  if (!row) return;
  row.data.status = status;
  save(world, 'movement', row);
}

/** Held while a dispute is looked into, and let go of: it stays in the account, where nobody can spend it. */
export const HOLD = 'T1110';
export const RELEASE = 'T1111';

const isHeld = ({ code }: Movement): boolean => code === HOLD || code === RELEASE;

/** With what is withheld. */
export function sumBalances(movements: readonly Movement[]): Record<string, number> {
  return sum(movements.filter((one) => !isHeld(one)));
}

export function sumWithheld(movements: readonly Movement[]): Record<string, number> {
  return sum(movements.filter(isHeld).map((one) => ({ ...one, amountMinor: -one.amountMinor })));
}

function sum(movements: readonly Movement[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { currency, amountMinor, feeMinor, status } of movements) {
    if (status !== 'S') continue;
    sums[currency] = (sums[currency] ?? 0) + amountMinor + feeMinor;
  }
  return sums;
}
