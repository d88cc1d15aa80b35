import { type Row, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useTools } from '../details/tools.ts';
import { Amount } from '../ui/cells.tsx';

/** The balances of all accounts, and the proof that every entry sums to nothing. */
export function LedgerHead() {
  const tools = useTools();
  const { locale } = tools;
  const { t } = locale;
  const balances = useRead<Row>('/v0/ledger/balances');
  const proof = useRead<Row>('/v0/ledger/proof');
  const rows = (balances.data?.balances ?? balances.data?.ledgerBalances ?? []) as Row[];
  const of = (proof.data?.proof ?? proof.data?.ledgerProof ?? null) as Row | null;
  return (
    <div className="ledger-head">
      {of ? (
        <p className={of.ok === true ? 'notice good' : 'notice danger'} role="status">
          {of.ok === true
            ? t('ledger.ok', { count: locale.number(Number(of.checkedEntries ?? 0)) })
            : t('ledger.differs')}
        </p>
      ) : null}
      <dl className="figure-row">
        {rows.map((row) => (
          <div key={`${textOf(row, 'account')} ${textOf(row, 'currency')}`}>
            <dt>{locale.tName('ledger.', textOf(row, 'account'))}</dt>
            <dd>
              <Amount minor={Number(row.balance)} currency={textOf(row, 'currency')} tools={tools} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
