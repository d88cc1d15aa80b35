import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { PlaceLink } from '../app/place-link.tsx';
import { isRefundable } from '../dialogs/refundable.ts';
import { Amount, Stamp, Time } from '../ui/cells.tsx';
import { useLocale } from '../ui/locale.tsx';
import { CopyableId, Detail, Fact, Facts, Part, Read } from './detail.tsx';
import { DialogButton } from './dialog-button.tsx';
import { HeldCharge } from './held-charge.tsx';
import { Lines } from './lines.tsx';
import { Customer } from './order.tsx';
import { Method } from './payment-rows.tsx';
import { ReceiveButton } from './receive-button.tsx';
import { useTools } from './tools.ts';

export function Payment({ id }: { id: string }) {
  const path = `/v0/payments/${encodeURIComponent(id)}`;
  return <Read path={path} show={(data) => <Shown path={path} data={data} />} />;
}

function Shown({ path, data }: { path: string; data: Row }) {
  const { t } = useLocale();
  const tools = useTools();
  const payment = rowOf(data, 'payment') ?? data;
  const status = textOf(payment, 'status');
  const lines = rowsOf(data, 'items');
  return (
    <Detail
      title={t('payment.title', { number: textOf(payment, 'number') })}
      path={path}
      data={data}
      timeline={{ object: 'payments', id: textOf(payment, 'id') }}
      status={<Stamp status={status} tools={tools} />}
      stub={<PaymentStub payment={payment} />}
      actions={
        <>
          {isRefundable(payment) ? (
            <DialogButton
              dialog="refund"
              row={{ ...payment, isPayment: true }}
              label="action.refund"
              area="refunds"
            />
          ) : null}
          <ReceiveButton payment={payment} />
          {['PENDING', 'UNPAID', 'FAILED'].includes(status) ? (
            <DialogButton
              dialog="cancel-payment"
              row={payment}
              label="action.cancel"
              area="payments"
              isDanger
            />
          ) : null}
        </>
      }
      overview={
        <>
          {lines.length > 0 ? (
            <Part id="items" title={t('part.items')}>
              <Lines
                lines={lines}
                currency={textOf(payment, 'currency')}
                decimals={numberOf(payment, 'currencyDecimals')}
                total={numberOf(payment, 'value')}
                refunded={numberOf(payment, 'refundedValue')}
              />
            </Part>
          ) : null}
          <Charges charges={rowsOf(payment, 'charges')} />
        </>
      }
    />
  );
}

function PaymentStub({ payment }: { payment: Row }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  const order = textOf(payment, 'orderNumber');
  const subscription = textOf(payment, 'subscriptionId');
  return (
    <>
      <p className="stub-amount">
        <Amount
          minor={numberOf(payment, 'value')}
          currency={textOf(payment, 'currency')}
          decimals={numberOf(payment, 'currencyDecimals')}
          tools={tools}
        />
      </p>
      <Facts>
        <Fact name={t('column.customer')}>
          <Customer userId={textOf(payment, 'userId')} email={textOf(payment, 'userEmail')} />
        </Fact>
        <Fact name={t('column.order')}>
          {order ? <PlaceLink href={`/orders/${order}`}>{order}</PlaceLink> : null}
        </Fact>
        <Fact name={t('column.subscription')}>
          {subscription ? (
            <PlaceLink href={`/subscriptions/${subscription}`}>{subscription}</PlaceLink>
          ) : null}
        </Fact>
        <Fact name={t('column.type')}>{tName('type.', textOf(payment, 'type'))}</Fact>
        <Fact name={t('column.fee')}>
          <Amount minor={numberOf(payment, 'fee')} currency={textOf(payment, 'currency')} tools={tools} />
        </Fact>
        <Fact name={t('column.invoice')}>
          {textOf(payment, 'invoiceUrl') ? (
            <a href={textOf(payment, 'invoiceUrl')}>{textOf(payment, 'invoiceNumber')}</a>
          ) : null}
        </Fact>
        <Fact name={t('column.created')}>
          <Time ms={numberOf(payment, 'createdAt')} tools={tools} />
        </Fact>
        <Fact name={t('column.id')}>
          <CopyableId id={textOf(payment, 'id')} />
        </Fact>
      </Facts>
    </>
  );
}

function Charges({ charges }: { charges: readonly Row[] }) {
  const { t } = useLocale();
  const tools = useTools();
  return (
    <Part id="charges" title={t('part.charges')}>
      <ul className="row-list">
        {charges.map((charge) => (
          <li key={textOf(charge, 'id')}>
            <Stamp status={textOf(charge, 'hold') ? 'held' : textOf(charge, 'status')} tools={tools} />
            <Amount minor={numberOf(charge, 'amount')} currency={textOf(charge, 'currency')} tools={tools} />
            <Method charge={charge} />
            {rowOf(charge, 'failure') ? (
              <span className="field-error">
                {textOf(rowOf(charge, 'failure'), 'message') || textOf(rowOf(charge, 'failure'), 'code')}
              </span>
            ) : null}
            <HeldCharge charge={charge} />
            <Time ms={numberOf(charge, 'createdAt')} tools={tools} />
          </li>
        ))}
      </ul>
    </Part>
  );
}
