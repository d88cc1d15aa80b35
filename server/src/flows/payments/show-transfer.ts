/** Where a buyer is to send the money of a charge that waits for a transfer, as their page shows it. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import type { ManualDetails } from '../../domain/processors/manual-details.ts';
import { toInstructionText, toTransferCode } from '../../domain/processors/transfer.ts';
import { findProcessor } from '../../resources/processors/processors.queries.ts';

export interface ShownTransfer {
  amount: number;
  currency: string;
  currencyDecimals: number;
  reference: string;
  iban: string | null;
  bic: string | null;
  holder: string | null;
  instructions: string | null;
  dueAt: number;
  /** The text of the code that a bank's app reads; null where there is none. */
  code: string | null;
}

type WaitingCharge = Pick<
  Row<'charges'>,
  'processor' | 'connectionId' | 'expectedBy' | 'amount' | 'currency'
>;

/** Null where the buyer has nothing to send. */
export async function showTransfer(
  ctx: Pick<Context, 'db'>,
  scope: Scope,
  { charge, reference, language }: { charge: WaitingCharge; reference: string; language: string | null },
): Promise<ShownTransfer | null> {
  const { processor, connectionId, expectedBy, amount: amountMinor, currency } = charge;
  if (processor !== 'manual' || connectionId === null || expectedBy === null) return null;
  const row = await findProcessor(ctx.db, scope, connectionId);
  if (!row) return null;
  // Rows of the kind hold only what it has let in.
  const { iban, bic, holder, instructions } = row.details as ManualDetails;
  const asked = { amountMinor, currency, reference, language: language ?? 'en' };
  return {
    amount: Number(amountMinor),
    currency,
    currencyDecimals: currencyDecimals(currency),
    ...{ reference, iban, bic, holder },
    instructions: toInstructionText(instructions, asked.language),
    dueAt: expectedBy,
    code: toTransferCode({ iban, bic, holder }, asked),
  };
}
