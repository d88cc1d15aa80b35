/** By whom the store takes money, and what of it waits for a person. */
import { type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { Part } from '../details/detail.tsx';
import { PaymentRows } from '../details/payment-rows.tsx';
import { FormButton } from '../forms/form-button.tsx';
import { ListTable } from '../lists/list-table.tsx';
import type { ListDeclaration } from '../lists/types.ts';
import { Nothing, numberColumn, Stamp, statusColumn, textColumn } from '../ui/cells.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLocale, useRoom } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';
import { Waiting } from '../ui/waiting.tsx';
import { accountOf } from './account-of.ts';

const processors: ListDeclaration = {
  name: 'processors',
  resource: 'processors',
  object: 'processor',
  area: 'processors',
  operation: '/v0/processors/list',
  rowsIn: 'processors',
  columns: [
    textColumn('name', 'column.name'),
    {
      id: 'kind',
      label: 'column.kind',
      draw: (row, { locale }) => locale.tName('processorKind.', textOf(row, 'kind')),
    },
    {
      id: 'account',
      label: 'column.account',
      draw: (row) => (accountOf(row) ? <span className="code-text">{accountOf(row)}</span> : <Nothing />),
    },
    statusColumn(),
    {
      id: 'health',
      label: 'column.health',
      draw: (row, tools) => (
        <Stamp status={textOf(rowOf(row, 'health'), 'state')} tools={tools} names="health." />
      ),
    },
    {
      id: 'methods',
      label: 'processor.methods',
      draw: (row, { locale }) =>
        rowsOf(row, 'methods')
          .filter(({ status }) => status === 'active')
          .map((method) => locale.tName('method.', textOf(method, 'type')))
          .join(', '),
    },
    numberColumn('priority', 'processor.priority'),
  ],
  filters: [],
  nameOf: (row) => textOf(row, 'name'),
  hrefOf: (row) => `/settings/payments/${textOf(row, 'id')}`,
};

const NONE: ReadonlySet<string> = new Set();

export default function Payments() {
  const { t } = useLocale();
  const isReady = useRoom('payments');
  useTitle(t('settings.payments'));
  const { may } = useStore();
  const read = useRead<Row>('/v0/processors/list');
  const rows = rowsOf(read.data, 'processors');
  if (!isReady) return <Waiting />;
  return (
    <section className="sheet list-screen" aria-labelledby="payments-title">
      <div className="sheet-head">
        <h1 id="payments-title">{t('settings.payments')}</h1>
        {may('processors', 'write') ? (
          <FormButton form="processor" label={t('processor.connect')} isMain />
        ) : null}
      </div>
      <p className="soft lead">{t('processor.text')}</p>
      {read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
      {rows.length > 0 ? (
        <ListTable
          declaration={processors}
          title={t('processor.list')}
          rows={rows}
          columns={processors.columns}
          selected={NONE}
          select={() => {}}
          isStale={false}
          isSelectable={false}
        />
      ) : null}
      {read.data && rows.length === 0 ? <p className="empty-text">{t('processor.none')}</p> : null}
      {may('payments') ? <HeldCharges /> : null}
    </section>
  );
}

/** Other money than was asked for, until somebody decides. */
function HeldCharges() {
  const { t } = useLocale();
  const read = useRead<Row>('/v0/payments/list', { query: 'held=true&take=50' });
  const held = rowsOf(read.data, 'payments');
  if (held.length === 0) return null;
  return (
    <Part id="held" title={t('processor.held')}>
      <p className="soft">{t('processor.heldText')}</p>
      <PaymentRows payments={held} />
    </Part>
  );
}
