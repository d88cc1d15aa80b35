import { numberOf, type Row, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { Amount, Stamp, Time } from '../ui/cells.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Part } from './detail.tsx';
import { useTools } from './tools.ts';

/** What the buyer's bank asks back of an order, until when it is to be answered, and where. */
export function DisputesOf({ orderId }: { orderId: string }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  const { may } = useStore();
  const read = useRead<Row>('/v0/disputes/list', {
    query: new URLSearchParams({ orderId, take: '20' }).toString(),
    enabled: may('refunds'),
  });
  const disputes = rowsOf(read.data, 'disputes');
  if (disputes.length === 0 && !read.isError) return null;
  return (
    <Part id="disputes" title={t('list.disputes')}>
      {read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
      <ul className="row-list">
        {disputes.map((dispute) => {
          const isOpen = textOf(dispute, 'status') === 'open';
          const due = numberOf(dispute, 'evidenceDueAt');
          const url = textOf(dispute, 'processorUrl');
          return (
            <li key={textOf(dispute, 'id')}>
              <Stamp status={textOf(dispute, 'status')} tools={tools} />
              <Amount
                minor={numberOf(dispute, 'amount')}
                currency={textOf(dispute, 'currency')}
                decimals={numberOf(dispute, 'currencyDecimals')}
                tools={tools}
              />
              <span>{tName('reason.', textOf(dispute, 'reason'))}</span>
              {isOpen && due !== null ? (
                <span>
                  {t('column.evidenceDue')} <Time ms={due} tools={tools} />
                </span>
              ) : null}
              {isOpen && url !== '' ? (
                <a href={url} target="_blank" rel="noreferrer">
                  {t('answer.there')}
                </a>
              ) : null}
            </li>
          );
        })}
      </ul>
    </Part>
  );
}
