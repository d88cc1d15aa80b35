import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { PlaceLink } from '../app/place-link.tsx';
import { Amount, Stamp, Time } from '../ui/cells.tsx';
import { useLocale } from '../ui/locale.tsx';
import { HeldCharge } from './held-charge.tsx';
import { ReceiveButton } from './receive-button.tsx';
import { useTools } from './tools.ts';

/** Payments within another object. */
export function PaymentRows({ payments }: { payments: readonly Row[] }) {
  const { t } = useLocale();
  const tools = useTools();
  if (payments.length === 0) return <p className="soft">{t('none')}</p>;
  return (
    <ul className="row-list">
      {payments.map((payment) => (
        <li key={textOf(payment, 'id')}>
          <Stamp status={textOf(payment, 'status')} tools={tools} />
          <PlaceLink href={`/orders/payments/${textOf(payment, 'id')}`} className="code-text">
            {textOf(payment, 'number')}
          </PlaceLink>
          <Amount minor={numberOf(payment, 'value')} currency={textOf(payment, 'currency')} tools={tools} />
          <Method charge={rowsOf(payment, 'charges').at(-1)} />
          {textOf(payment, 'invoiceUrl') ? (
            <a href={textOf(payment, 'invoiceUrl')}>{textOf(payment, 'invoiceNumber')}</a>
          ) : null}
          <Time ms={numberOf(payment, 'createdAt')} tools={tools} />
          <ReceiveButton payment={payment} />
          {rowsOf(payment, 'charges').map((charge) => (
            <HeldCharge key={textOf(charge, 'id')} charge={charge} />
          ))}
        </li>
      ))}
    </ul>
  );
}

export function Method({ charge }: { charge: Row | undefined }) {
  const { tName } = useLocale();
  const method = rowOf(charge, 'paymentMethod');
  if (!method) return null;
  return (
    <span>
      {tName('brand.', textOf(method, 'brand') || textOf(method, 'type'))} {textOf(method, 'last4')}
    </span>
  );
}
