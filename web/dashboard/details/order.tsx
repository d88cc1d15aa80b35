import { nameOrId, numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { PlaceLink } from '../app/place-link.tsx';
import { useStore } from '../app/store.tsx';
import { isRefundable } from '../dialogs/refundable.ts';
import { Amount, Stamp, Time } from '../ui/cells.tsx';
import { useLocale } from '../ui/locale.tsx';
import { CopyableId, Detail, Fact, Facts, Part, Read } from './detail.tsx';
import { DialogButton } from './dialog-button.tsx';
import { DisputesOf } from './dispute-rows.tsx';
import { Lines } from './lines.tsx';
import { PaymentRows } from './payment-rows.tsx';
import { useTools } from './tools.ts';

export function Order({ id }: { id: string }) {
  const path = `/v0/orders/${encodeURIComponent(id)}`;
  return <Read path={path} show={(data) => <Shown path={path} data={data} />} />;
}

function Shown({ path, data }: { path: string; data: Row }) {
  const { t } = useLocale();
  const tools = useTools();
  const order = rowOf(data, 'order') ?? data;
  const number = textOf(order, 'number');
  const status = textOf(order, 'status');
  const currency = textOf(order, 'currency');
  const decimals = numberOf(order, 'currencyDecimals');
  const row = { ...order, payments: rowsOf(data, 'payments') };
  const items = rowsOf(data, 'items');
  const hasKeys = items.some((item) => rowsOf(item, 'keys').length > 0);
  return (
    <Detail
      title={t('order.title', { number })}
      path={path}
      data={data}
      timeline={{ object: 'orders', id: textOf(order, 'id') }}
      status={<Stamp status={status} tools={tools} />}
      actions={
        <>
          {row.payments.some(isRefundable) ? (
            <DialogButton dialog="refund" row={row} label="action.refund" area="refunds" />
          ) : null}
          {status !== 'CANCELLED' && status !== 'REFUNDED' ? (
            <DialogButton dialog="cancel-order" row={row} label="action.cancelOrder" area="orders" isDanger />
          ) : null}
          {hasKeys ? (
            <DialogButton
              dialog="reveal-keys"
              row={{ ...order, items }}
              label="action.revealKeys"
              area="orders"
            />
          ) : null}
          <DialogButton dialog="correct-order" row={row} label="action.correctOrder" area="corrections" />
          {textOf(order, 'userId') ? (
            <DialogButton dialog="correct-email" row={order} label="action.correctEmail" area="users" />
          ) : null}
        </>
      }
      stub={<OrderStub order={order} />}
      overview={
        <>
          <Part id="items" title={t('part.items')}>
            <Lines
              lines={items}
              currency={currency}
              decimals={decimals}
              total={numberOf(order, 'value')}
              refunded={numberOf(order, 'refundedValue')}
            />
          </Part>
          <Fulfilment items={items} orderNumber={number} />
          <Part id="payments" title={t('list.payments')}>
            <PaymentRows payments={rowsOf(data, 'payments')} />
          </Part>
          <Refunds refunds={rowsOf(data, 'refunds')} />
          <DisputesOf orderId={textOf(order, 'id')} />
        </>
      }
    />
  );
}

function OrderStub({ order }: { order: Row }) {
  const { t, countryName, tName } = useLocale();
  const tools = useTools();
  const subscriptionId = textOf(order, 'subscriptionId');
  return (
    <>
      <p className="stub-amount">
        <Amount
          minor={numberOf(order, 'value')}
          currency={textOf(order, 'currency')}
          decimals={numberOf(order, 'currencyDecimals')}
          tools={tools}
        />
      </p>
      <Facts>
        <Fact name={t('column.customer')}>
          <Customer userId={textOf(order, 'userId')} email={textOf(order, 'userEmail')} />
        </Fact>
        <Fact name={t('column.type')}>{tName('type.', textOf(order, 'type'))}</Fact>
        <Fact name={t('column.created')}>
          <Time ms={numberOf(order, 'createdAt')} tools={tools} />
        </Fact>
        <Fact name={t('column.paid')}>
          {numberOf(order, 'paidAt') === null ? null : <Time ms={numberOf(order, 'paidAt')} tools={tools} />}
        </Fact>
        <Fact name={t('column.country')}>
          {textOf(order, 'country') ? countryName(textOf(order, 'country')) : null}
        </Fact>
        <Fact name={t('column.subscription')}>
          {subscriptionId ? (
            <PlaceLink href={`/subscriptions/${subscriptionId}`}>{subscriptionId}</PlaceLink>
          ) : null}
        </Fact>
        <Fact name={t('column.reference')}>{textOf(order, 'reference')}</Fact>
        <Fact name={t('column.id')}>
          <CopyableId id={textOf(order, 'id')} />
        </Fact>
      </Facts>
    </>
  );
}

/** The customer by e-mail; asked for where the row bears the id alone. */
export function Customer({ userId, email }: { userId: string; email?: string }) {
  const { may } = useStore();
  const read = useRead<{ user: Row }>(`/v0/users/${userId}`, {
    enabled: userId !== '' && !email && may('users'),
  });
  const shown = email || textOf(read.data?.user, 'email');
  if (userId === '') return null;
  return <PlaceLink href={`/customers/${userId}`}>{nameOrId(shown, userId, read.isLoading)}</PlaceLink>;
}

/** The file that goes with an item: how large it is, and how often and for how long it is handed out. */
function Download({ download }: { download: Row }) {
  const { t, fileSize, number } = useLocale();
  const tools = useTools();
  const [used, limit, until] = [
    numberOf(download, 'used') ?? 0,
    numberOf(download, 'limit'),
    numberOf(download, 'until'),
  ];
  return (
    <span className="soft">
      {textOf(download, 'fileName')}, {fileSize(numberOf(download, 'size') ?? 0)}
      {limit === null ? null : <>, {t('download.used', { used: number(used), limit: number(limit) })}</>}
      {until === null ? null : (
        <>
          , {t('days.until')} <Time ms={until} tools={tools} />
        </>
      )}
    </span>
  );
}

function ItemDownload({ item, orderNumber }: { item: Row; orderNumber: string }) {
  const download = rowOf(item, 'download');
  if (!download) return null;
  return (
    <>
      {' '}
      <Download download={download} />
      {textOf(item, 'fulfilment') === 'delivered' ? (
        <DialogButton
          dialog="reset-downloads"
          row={{ ...item, orderNumber }}
          label="action.resetDownloads"
          area="orders"
        />
      ) : null}
    </>
  );
}

function Fulfilment({ items, orderNumber }: { items: readonly Row[]; orderNumber: string }) {
  const { t, tName } = useLocale();
  const shown = items.filter(
    (item) => textOf(item, 'fulfilment') !== 'none' && textOf(item, 'fulfilment') !== '',
  );
  if (shown.length === 0) return null;
  return (
    <Part id="fulfilment" title={t('part.fulfilment')}>
      <ul className="plain-list">
        {shown.map((item) => (
          <li key={textOf(item, 'id')}>
            <strong>{textOf(item, 'name')}</strong> {tName('fulfilment.', textOf(item, 'fulfilment'))}
            {rowsOf(item, 'keys').map((key) => (
              <code key={textOf(key, 'id')} className="key-line">
                {textOf(key, 'key')}
              </code>
            ))}
            <ItemDownload item={item} orderNumber={orderNumber} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Money that no processor gives back waits for the word that it has gone. */
const canBeSettled = (refund: Row) => refund.byHand === true && textOf(refund, 'status') === 'pending';

function Refunds({ refunds }: { refunds: readonly Row[] }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  if (refunds.length === 0) return null;
  return (
    <Part id="refunds" title={t('list.refunds')}>
      <ul className="row-list">
        {refunds.map((refund) => (
          <li key={textOf(refund, 'id')}>
            <Stamp status={textOf(refund, 'status')} tools={tools} />
            <Amount minor={numberOf(refund, 'amount')} currency={textOf(refund, 'currency')} tools={tools} />
            <span>{tName('reason.', textOf(refund, 'reason'))}</span>
            {textOf(refund, 'creditNoteUrl') ? (
              <a href={textOf(refund, 'creditNoteUrl')}>{textOf(refund, 'creditNoteNumber')}</a>
            ) : null}
            <Time ms={numberOf(refund, 'createdAt')} tools={tools} />
            {canBeSettled(refund) ? (
              <DialogButton
                dialog="settle-refund"
                row={refund}
                label="action.markSettled"
                area="corrections"
              />
            ) : null}
          </li>
        ))}
      </ul>
    </Part>
  );
}
