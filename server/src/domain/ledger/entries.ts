/** Which accounts a movement of money touches. Debit is positive, credit negative; each plan sums to 0. */

/**
 * `processor_clearing` and `manual` hold money; `refunds` and `fees` are what was given away of `sales`. What a processor
 * took beside what a sale came to is on `processor_other`, and what it took in another currency went by `conversion`.
 * `payouts` is what it has sent to the merchant's bank, `refunds_payable` what came back although a buyer is owed it.
 */
export const ACCOUNTS = [
  'processor_clearing',
  'sales',
  'tax_payable',
  'fees',
  'refunds',
  'manual',
  'disputes',
  'conversion',
  'processor_other',
  'payouts',
  'refunds_payable',
] as const;
export type Account = (typeof ACCOUNTS)[number];

export interface LedgerLine {
  account: Account;
  amount: bigint;
}

interface PlannedCharge {
  processor: string;
  valueMinor: bigint;
  taxMinor: bigint;
  feeMinor: bigint;
  /** What was taken, in the same currency. */
  takenMinor: bigint;
}

/** Money comes in: the processor keeps its fee, the tax in the value belongs to the state. */
export function planCharge(charge: PlannedCharge): LedgerLine[] {
  const { processor, valueMinor, taxMinor, feeMinor, takenMinor } = charge;
  return withoutZeros([
    { account: toMoneyAccount(processor), amount: takenMinor - feeMinor },
    { account: 'fees', amount: feeMinor },
    { account: 'sales', amount: taxMinor - valueMinor },
    { account: 'tax_payable', amount: -taxMinor },
    { account: 'processor_other', amount: valueMinor - takenMinor },
  ]);
}

/** The same where another currency was taken: the sale in its own, and what came for it in the other. */
export function planConvertedCharge({
  processor,
  valueMinor,
  taxMinor,
  feeMinor,
  takenMinor,
}: PlannedCharge): {
  sale: LedgerLine[];
  /** In the sale's currency. */
  out: LedgerLine[];
  /** In the currency that was taken, as fee and sum are. */
  into: LedgerLine[];
} {
  const money = toMoneyAccount(processor);
  return {
    sale: planCharge({ processor, valueMinor, taxMinor, feeMinor: 0n, takenMinor: valueMinor }),
    out: withoutZeros([
      { account: money, amount: -valueMinor },
      { account: 'conversion', amount: valueMinor },
    ]),
    into: withoutZeros([
      { account: 'conversion', amount: -takenMinor },
      { account: 'fees', amount: feeMinor },
      { account: money, amount: takenMinor - feeMinor },
    ]),
  };
}

/** Money goes back: the sale stays in the books, its refund stands beside it; the fee is not given back. */
export function planRefund(refund: {
  processor: string;
  amountMinor: bigint;
  taxMinor: bigint;
}): LedgerLine[] {
  const { processor, amountMinor, taxMinor } = refund;
  return withoutZeros([
    { account: 'refunds', amount: amountMinor - taxMinor },
    { account: 'tax_payable', amount: taxMinor },
    { account: toMoneyAccount(processor), amount: -amountMinor },
  ]);
}

/** Money that came for a closed payment: it was never a sale, and only the fee of its way remains. */
export function planReversal(reversal: { processor: string; amountMinor: bigint; feeMinor: bigint }): {
  moneyIn: LedgerLine[];
  moneyOut: LedgerLine[];
} {
  const { processor, amountMinor, feeMinor } = reversal;
  const money = toMoneyAccount(processor);
  return {
    moneyIn: withoutZeros([
      { account: money, amount: amountMinor - feeMinor },
      { account: 'fees', amount: feeMinor },
      { account: 'refunds', amount: -amountMinor },
    ]),
    moneyOut: withoutZeros([
      { account: 'refunds', amount: amountMinor },
      { account: money, amount: -amountMinor },
    ]),
  };
}

/** The buyer's bank takes the money back for as long as it decides. */
export function planDisputeOpened({ amountMinor }: { amountMinor: bigint }): LedgerLine[] {
  return withoutZeros([
    { account: 'disputes', amount: amountMinor },
    { account: 'processor_clearing', amount: -amountMinor },
  ]);
}

export function planDisputeWon(dispute: { amountMinor: bigint }): LedgerLine[] {
  return planDisputeOpened(dispute).map(({ account, amount }) => ({ account, amount: -amount }));
}

/** What the bank holds is a refund now. */
export function planDisputeLost({
  amountMinor,
  taxMinor,
}: {
  amountMinor: bigint;
  taxMinor: bigint;
}): LedgerLine[] {
  return withoutZeros([
    { account: 'refunds', amount: amountMinor - taxMinor },
    { account: 'tax_payable', amount: taxMinor },
    { account: 'disputes', amount: -amountMinor },
  ]);
}

/** A fee that was told after its charge was posted, or what was posted too much of it. */
export function planLateFee(feeMinor: bigint): LedgerLine[] {
  return withoutZeros([
    { account: 'fees', amount: feeMinor },
    { account: 'processor_clearing', amount: -feeMinor },
  ]);
}

/** A movement that a processor tells of. What leaves is negative; its fee is on top. */
export interface ToldMovement {
  amountMinor: bigint;
  feeMinor: bigint;
  currency: string;
  /** What rows of ours have posted for it already, in their own currency; nothing where none stands for it. */
  own: { amountMinor: bigint; feeMinor: bigint; currency: string };
  /** Stands against what no row of ours is about. */
  account: 'payouts' | 'fees' | 'processor_other';
}

/** Only what is not posted yet; where the processor settles in another currency, ours is turned into it. */
export function planMovement({ amountMinor, feeMinor, currency, own, account }: ToldMovement): {
  /** In `currency`. */
  same: LedgerLine[];
  /** In our currency, and in the processor's. */
  out: LedgerLine[];
  into: LedgerLine[];
} {
  if (currency === own.currency) {
    const [more, moreFee] = [amountMinor - own.amountMinor, feeMinor - own.feeMinor];
    const same = merged([
      { account: 'processor_clearing', amount: more - moreFee },
      { account: 'fees', amount: moreFee },
      { account, amount: -more },
    ]);
    return { same, out: [], into: [] };
  }
  return {
    same: [],
    out: merged([
      { account: 'processor_clearing', amount: own.feeMinor - own.amountMinor },
      { account: 'fees', amount: -own.feeMinor },
      { account: 'conversion', amount: own.amountMinor },
    ]),
    into: merged([
      { account: 'processor_clearing', amount: amountMinor - feeMinor },
      { account: 'fees', amount: feeMinor },
      { account: 'conversion', amount: -amountMinor },
    ]),
  };
}

/** An entry has one line for an account. */
function merged(lines: LedgerLine[]): LedgerLine[] {
  const sums = new Map<Account, bigint>();
  for (const { account, amount } of lines) sums.set(account, (sums.get(account) ?? 0n) + amount);
  return withoutZeros([...sums].map(([account, amount]) => ({ account, amount })));
}

/** A refund came back: the buyer is owed it. */
export function planRefundReturned(amountMinor: bigint): LedgerLine[] {
  return withoutZeros([
    { account: 'processor_clearing', amount: amountMinor },
    { account: 'refunds_payable', amount: -amountMinor },
  ]);
}

/** Somebody has paid it outside, or given it back once more at the processor. */
export function planReturnSettled(amountMinor: bigint, isThere: boolean): LedgerLine[] {
  return withoutZeros([
    { account: 'refunds_payable', amount: amountMinor },
    { account: isThere ? 'processor_clearing' : 'manual', amount: -amountMinor },
  ]);
}

/** Money that the merchant took or gave by hand has no processor to settle with. */
function toMoneyAccount(processor: string): Account {
  return processor === 'manual' ? 'manual' : 'processor_clearing';
}

function withoutZeros(lines: LedgerLine[]): LedgerLine[] {
  return lines.filter(({ amount }) => amount !== 0n);
}
