/** The ledger in the API. */
import { type Static, Type } from 'typebox';
import { ACCOUNTS } from '../../domain/ledger/entries.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import {
  Answer,
  Component,
  Currency,
  CurrencyInput,
  Minor,
  Ms,
  Nullable,
  StringEnum,
  Sum,
  TimeBoundTo,
  TimeInput,
  Uuid,
} from '../shapes.ts';
import type { BalanceRow, Difference } from './ledger.queries.ts';
import type { EntryLineRow } from './listed-entries.queries.ts';

export const Balance = Answer('LedgerBalance', {
  account: StringEnum(ACCOUNTS, { description: 'Which account of the books.' }),
  currency: Currency(),
  debit: Sum({ description: 'Sum of what was debited; never negative.' }),
  credit: Sum({ description: 'Sum of what was credited; never negative.' }),
  balance: Sum({ description: 'Debit less credit.' }),
});

export const Proof = Answer('LedgerProof', {
  ok: Type.Boolean({ description: 'Whether everything agrees.' }),
  checkedEntries: Type.Integer({ minimum: 0, description: 'How many entries were looked at.' }),
  differences: Type.Array(
    Answer(null, {
      account: StringEnum(ACCOUNTS, { description: 'Which account of the books.' }),
      currency: Currency(),
      expected: Sum({ description: 'Recomputed from payments, refunds and disputes.' }),
      actual: Sum({ description: 'The balance in the ledger.' }),
    }),
    { description: 'Where the books differ from what they are of.' },
  ),
});

export const BalancesAnswer = Answer(null, { balances: Type.Array(Component(Balance)) });
export const ProofAnswer = Answer(null, { proof: Component(Proof) });

/** Every account of each currency in use, posted to or not, so that a reader finds all of them. */
export function toBalances(rows: BalanceRow[]): Array<Static<typeof Balance>> {
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  return currencies.flatMap((currency) =>
    ACCOUNTS.map((account) => {
      const row = rows.find((one) => one.currency === currency && one.account === account);
      const { debit, credit } = row ?? { debit: 0n, credit: 0n };
      return {
        account,
        currency,
        debit: Number(debit),
        credit: Number(credit),
        balance: Number(debit - credit),
      };
    }),
  );
}

export function toProof(proof: { checkedEntries: number; differences: Difference[] }): Static<typeof Proof> {
  const { checkedEntries } = proof;
  const differences = proof.differences.map(({ expected, actual, ...where }) => ({
    ...where,
    expected: Number(expected),
    actual: Number(actual),
  }));
  return { ok: differences.length === 0, checkedEntries, differences };
}

const KINDS = [
  'charge',
  'refund',
  'reversal_in',
  'reversal_out',
  'dispute_opened',
  'dispute_won',
  'dispute_lost',
  'conversion_out',
  'conversion_in',
  'fee',
  'movement',
  'movement_out',
  'movement_in',
  'refund_returned',
  'return_settled',
] as const;

export const LedgerEntry = Answer('LedgerEntry', {
  object: StringEnum(['ledger_entry']),
  id: Uuid({ description: 'The lines of one movement of money have one id; they sum to nothing.' }),
  kind: StringEnum(KINDS),
  account: StringEnum(ACCOUNTS, { description: 'Which account of the books.' }),
  debit: Minor({ description: 'Minor units; 0 of a credit.' }),
  credit: Minor({ description: 'Minor units; 0 of a debit.' }),
  currency: Currency(),
  paymentId: Nullable(Uuid()),
  paymentNumber: Nullable(Type.String()),
  refundId: Nullable(Uuid()),
  at: Ms(),
});

export const ListEntries = Type.Object({
  ...pageQuery,
  accounts: Type.Optional(
    Type.Array(StringEnum(ACCOUNTS), {
      maxItems: 50,
      description: 'Only those on one of these accounts of the books.',
    }),
  ),
  kinds: Type.Optional(Type.Array(StringEnum(KINDS), { maxItems: 50 })),
  currencies: Type.Optional(Type.Array(CurrencyInput(), { maxItems: 100 })),
  paymentId: Type.Optional(Uuid()),
  createdFrom: Type.Optional(TimeInput()),
  createdTo: Type.Optional(TimeBoundTo()),
  term: Type.Optional(
    Type.String({ maxLength: 320, description: 'Number of the payment or its order, or e-mail.' }),
  ),
  returnCount: Type.Optional(Type.Boolean()),
});
export const EntriesAnswer = Answer(null, {
  ledgerEntries: Type.Array(Component(LedgerEntry)),
  ...pageAnswer,
});

export function toLedgerEntry(row: EntryLineRow): Static<typeof LedgerEntry> {
  const amount = Number(row.amount);
  return {
    object: 'ledger_entry',
    id: row.entryId,
    kind: row.kind,
    account: row.account,
    debit: Math.max(amount, 0),
    credit: Math.max(-amount, 0),
    // A currency of the seed's list: checked on the way in.
    currency: row.currency as Static<typeof LedgerEntry>['currency'],
    paymentId: row.paymentId,
    paymentNumber: row.paymentNumber,
    refundId: row.refundId,
    at: row.createdAt,
  };
}
