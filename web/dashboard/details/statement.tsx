/** A withdrawal or a cancellation notice: what was stated stays as it was, how it stands lies beside it. */

import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { PlaceLink } from '../app/place-link.tsx';
import { dueOf, isOpen, kindOf } from '../lists/statements.tsx';
import { Stamp, Time } from '../ui/cells.tsx';
import { useLocale } from '../ui/locale.tsx';
import { CopyableId, Detail, Fact, Facts, Part, Read } from './detail.tsx';
import { DialogButton } from './dialog-button.tsx';
import { Customer } from './order.tsx';
import { useTools } from './tools.ts';

export function Withdrawal({ id }: { id: string }) {
  const path = `/v0/withdrawals/${encodeURIComponent(id)}`;
  return (
    <Read
      path={path}
      show={(data) => (
        <Shown path={path} data={data} what="withdrawal" row={rowOf(data, 'withdrawal') ?? data} />
      )}
    />
  );
}

export function Notice({ id }: { id: string }) {
  const path = `/v0/cancellation-notices/${encodeURIComponent(id)}`;
  return (
    <Read
      path={path}
      show={(data) => <Shown path={path} data={data} what="notice" row={rowOf(data, 'notice') ?? data} />}
    />
  );
}

interface ShownProps {
  path: string;
  data: Row;
  what: 'withdrawal' | 'notice';
  row: Row;
}

function Shown({ path, data, what, row }: ShownProps) {
  const { t } = useLocale();
  const tools = useTools();
  const accept = textOf(row, 'status') === 'unmatched' ? `match-${what}` : `accept-${what}`;
  return (
    <Detail
      title={t(what === 'notice' ? 'notice.title' : 'withdrawal.title', { number: textOf(row, 'number') })}
      path={path}
      data={data}
      status={<Stamp status={textOf(row, 'status')} tools={tools} />}
      stub={<Standing row={row} />}
      actions={
        isOpen(row) ? (
          <>
            <DialogButton dialog={accept} row={row} label="action.accept" area="withdrawals" />
            <DialogButton
              dialog={`refuse-${what}`}
              row={row}
              label="action.refuse"
              area="withdrawals"
              isDanger
            />
          </>
        ) : null
      }
      overview={
        <Part id="stated" title={t('statement.stated')}>
          {what === 'withdrawal' ? <Withdrawn row={row} /> : <Cancelled row={row} />}
        </Part>
      }
    />
  );
}

/** What it belongs to, and until when it is to be decided. */
function Standing({ row }: { row: Row }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  const orderId = textOf(row, 'orderId');
  const subscriptionId = textOf(row, 'subscriptionId');
  const acknowledged = numberOf(row, 'acknowledgedAt');
  return (
    <Facts>
      <Fact name={t('column.received')}>
        <Time ms={numberOf(row, 'receivedAt')} tools={tools} />
      </Fact>
      <Fact name={t('column.due')}>
        {dueOf(row) === null ? null : <Time ms={dueOf(row)} tools={tools} isDay />}
      </Fact>
      <Fact name={t('statement.acknowledged')}>
        {acknowledged === null ? null : <Time ms={acknowledged} tools={tools} />}
      </Fact>
      <Fact name={t('column.customer')}>
        {textOf(row, 'userId') ? <Customer userId={textOf(row, 'userId')} /> : null}
      </Fact>
      <Fact name={t('column.order')}>
        {orderId ? <PlaceLink href={`/orders/${orderId}`}>{textOf(row, 'orderNumber')}</PlaceLink> : null}
      </Fact>
      <Fact name={t('column.subscription')}>
        {subscriptionId ? (
          <PlaceLink href={`/subscriptions/${subscriptionId}`}>{subscriptionId}</PlaceLink>
        ) : null}
      </Fact>
      <Fact name={t('column.reason')}>
        {textOf(row, 'reason') ? tName('withdrawalReason.', textOf(row, 'reason')) : null}
      </Fact>
      <Fact name={t('column.id')}>
        <CopyableId id={textOf(row, 'id')} />
      </Fact>
    </Facts>
  );
}

function Withdrawn({ row }: { row: Row }) {
  const { t, tName } = useLocale();
  return (
    <Facts>
      <Fact name={t('column.kind')}>{tName('withdrawalOf.', kindOf(row))}</Fact>
      <Fact name={t('column.order')}>{textOf(row, 'orderNumber')}</Fact>
      <Fact name={t('statement.part')}>{textOf(row, 'part')}</Fact>
      <Stater row={row} />
    </Facts>
  );
}

function Cancelled({ row }: { row: Row }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  const end = numberOf(row, 'endDate');
  return (
    <Facts>
      <Fact name={t('column.kind')}>{tName('noticeType.', textOf(row, 'type'))}</Fact>
      <Fact name={t('column.reason')}>{textOf(row, 'statedReason')}</Fact>
      <Fact name={t('column.contract')}>{textOf(row, 'contractNumber')}</Fact>
      <Fact name={t('statement.endDate')}>
        {end === null ? t('statement.earliest') : <Time ms={end} tools={tools} isDay />}
      </Fact>
      <Stater row={row} />
    </Facts>
  );
}

function Stater({ row }: { row: Row }) {
  const { t } = useLocale();
  return (
    <>
      <Fact name={t('column.name')}>{textOf(row, 'name')}</Fact>
      <Fact name={t('column.email')}>{textOf(row, 'email')}</Fact>
      <Fact name={t('statement.hash')}>
        <span className="code-text">{textOf(row, 'sha256')}</span>
      </Fact>
    </>
  );
}
