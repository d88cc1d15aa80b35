/**
 * Discount codes that do not exist, typed by somebody without the secret key: whoever guesses may do so a few times.
 * A code that a session has kept already is no guess.
 */
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { toAddressKey } from '../../domain/client-address.ts';
import { Refusal } from '../../domain/errors.ts';
import {
  countLimited,
  findLimitedWaitMs,
  type LimitContext,
  type Limited,
  refuseSpent,
  toTooMany,
} from './count-limited.ts';

export interface Guess {
  db: Db;
  /** The word of the session's link; null where a code is typed without one. */
  session: string | null;
  /** Where the request comes from. */
  ipAddress: string;
}

/** Before a code is looked for. Throws too_many_codes. */
export async function refuseSpentGuess(ctx: LimitContext, scope: Scope, guess: Guess): Promise<void> {
  await refuseSpent(ctx, scope, { db: guess.db, limited: toLimited(guess), code: 'too_many_codes' });
}

/** Whether no further code may be looked for, where that is no reason to refuse what was asked for. */
export async function isGuessSpent(ctx: LimitContext, scope: Scope, guess: Guess): Promise<boolean> {
  return (await findLimitedWaitMs(ctx, scope, { db: guess.db, limited: toLimited(guess) })) > 0;
}

/** A code was found unknown. Throws too_many_codes where others were meanwhile, and that is one too many. */
export async function countWrongGuess(ctx: LimitContext, scope: Scope, guess: Guess): Promise<void> {
  const { db } = guess;
  const limited = toLimited(guess);
  if (await countLimited(ctx, scope, { db, limited })) return;
  await refuseSpent(ctx, scope, { db, limited, code: 'too_many_codes' });
  throw toTooMany(0, 'too_many_codes');
}

/** Does what refuses a code that is unknown, and counts that. Null = nothing is guessed. */
export async function countingGuess<T>(
  ctx: LimitContext,
  scope: Scope,
  { guess, work }: { guess: Guess | null; work: () => Promise<T> },
): Promise<T> {
  if (guess === null) return work();
  await refuseSpentGuess(ctx, scope, guess);
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'discount_code_unknown')
      await countWrongGuess(ctx, scope, guess);
    throw error;
  }
}

function toLimited({ session, ipAddress }: Guess): Limited[] {
  const byAddress = { limit: 'unknown_code_by_address' as const, of: toAddressKey(ipAddress) };
  return session === null ? [byAddress] : [{ limit: 'unknown_code_by_session', of: session }, byAddress];
}
