/** The ledger in the API. */
import { type Static, Type } from 'typebox';
import { ACCOUNTS } from '../../domain/ledger/entries.ts';
import { Answer, Component, Currency, StringEnum } from '../shapes.ts';
import type { BalanceRow, Difference } from './ledger.queries.ts';

/** Minor units. Many amounts together may pass the bound of one, beyond which JSON's readers round. */
const Sum = (options: Record<string, unknown>) => Type.Integer(options);

export const Balance = Answer('LedgerBalance', {
  account: StringEnum(ACCOUNTS),
  currency: Currency(),
  debit: Sum({ description: 'Sum of what was debited; never negative.' }),
  credit: Sum({ description: 'Sum of what was credited; never negative.' }),
  balance: Sum({ description: 'Debit less credit.' }),
});

export const Proof = Answer('LedgerProof', {
  ok: Type.Boolean(),
  checkedEntries: Type.Integer({ minimum: 0 }),
  differences: Type.Array(
    Answer(null, {
      account: StringEnum(ACCOUNTS),
      currency: Currency(),
      expected: Sum({ description: 'Recomputed from payments, refunds and disputes.' }),
      actual: Sum({ description: 'The balance in the ledger.' }),
    }),
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
