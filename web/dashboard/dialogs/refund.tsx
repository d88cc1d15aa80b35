import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { decimalsOf } from '../../ui/money.ts';
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { FieldInput } from '../forms/field-input.tsx';
import type { Field } from '../forms/types.ts';
import { parseAmount, writeAmount } from '../forms/values.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';
import { DialogFrame } from './frame.tsx';
import { isRefundable, leftOf } from './refundable.ts';

const AMOUNT: Field = { name: 'amount', kind: 'money', required: true };
const REASON: Field = {
  name: 'reason',
  kind: 'choice',
  required: true,
  options: ['requested_by_customer', 'duplicate', 'fraudulent', 'other'],
  names: 'reason.',
};
const NOTE: Field = { name: 'note', kind: 'text' };

const EXCEEDED = 'refund_exceeds_paid';
const SHOWN = ['paymentId', 'amount', 'reason', 'note'];

/** Money back, of one payment of the order: all that is left, or less. */
export function Refund({ row, close }: { row: Row; close: () => void }) {
  const order = row.isPayment === true ? textOf(row, 'orderNumber') : textOf(row, 'number');
  // A row of a list bears no payments, and what it says may be old.
  const read = useRead<{ payments: Row[] }>(`/v0/orders/${encodeURIComponent(order)}`);
  const { t } = useLocale();
  const payments = (read.data?.payments ?? []).filter(isRefundable);
  const [first] = payments;
  if (!read.data && !read.isError) return null;
  if (!first) {
    return (
      <Dialog onClose={close} title={t('refund.title', { number: order })}>
        {read.isError ? (
          <Failure error={read.error} retry={() => void read.refetch()} />
        ) : (
          <p>{t('refund.nothing')}</p>
        )}
      </Dialog>
    );
  }
  const chosen =
    row.isPayment === true ? (payments.find(({ id }) => id === row.id) ?? first) : (payments.at(-1) ?? first);
  const again = () => void read.refetch();
  return <Form order={order} payments={payments} chosen={chosen} again={again} close={close} />;
}

/** What the API would give back of it, by its own sums. */
function useRefundPreview(
  order: string,
  { paymentId, amount }: { paymentId: string; amount: number | null },
): Row | null {
  const read = useRead(`/v0/orders/${encodeURIComponent(order)}/refunds/preview`, {
    query: `paymentId=${paymentId}&amount=${amount}`,
    enabled: amount !== null,
    keep: true,
  });
  return amount === null ? null : rowOf(read.data, 'refundPreview');
}

function Form({
  order,
  payments,
  chosen,
  again,
  close,
}: {
  order: string;
  payments: readonly Row[];
  chosen: Row;
  /** Asks what is left by now. */
  again: () => void;
  close: () => void;
}) {
  const { t, language, money } = useLocale();
  const [paymentId, setPaymentId] = useState(textOf(chosen, 'id'));
  const payment = payments.find(({ id }) => id === paymentId) ?? chosen;
  const currency = textOf(payment, 'currency');
  const decimals = numberOf(payment, 'currencyDecimals') ?? decimalsOf(currency);
  const left = leftOf(payment);
  const [text, setText] = useState(() => writeAmount(left, decimals, language));
  const [reason, setReason] = useState('requested_by_customer');
  const [note, setNote] = useState('');
  const write = useWrite();
  const amount = parseAmount(text, decimals, language);
  const isWrong = amount === null || amount <= 0 || amount > left;
  const submit = () => {
    const body = { amount, paymentId, reason, ...(note === '' ? {} : { note }) };
    write.mutate(
      { method: 'POST', path: `/v0/orders/${encodeURIComponent(order)}/refunds`, body },
      {
        onSuccess: () => {
          notifications.show({
            message: t('refund.done', { amount: money(amount ?? 0, currency, decimals) }),
          });
          close();
        },
        onError: ({ code }) => {
          if (code === EXCEEDED) again();
        },
      },
    );
  };
  // Somebody else gave money back meanwhile. What is left now says it as money, which the API counts in minor units.
  const isExceeded = write.error?.code === EXCEEDED;
  const errorOf = (name: string) => write.error?.details.find(({ path }) => path === name)?.message ?? null;
  const unread = t('filter.noAmount', { currency, example: writeAmount(left, decimals, language) });
  const tooMuch = isWrong ? t('refund.wrong', { left: money(left, currency, decimals) }) : null;
  const wrongAmount = amount === null ? unread : tooMuch;
  const shown = amount === null ? '' : `${writeAmount(amount, decimals, language)} ${currency}`;
  return (
    <DialogFrame
      title={t('refund.title', { number: order })}
      text={t('refund.text', { left: money(left, currency, decimals) })}
      confirm={t('refund.confirm', { amount: shown })}
      isDanger
      isOff={isWrong}
      isBusy={write.isPending}
      error={write.error}
      shows={payments.length > 1 ? SHOWN : SHOWN.filter((name) => name !== 'paymentId')}
      close={close}
      submit={submit}
    >
      {payments.length > 1 ? (
        <WhichPayment
          payments={payments}
          value={paymentId}
          error={errorOf('paymentId')}
          change={setPaymentId}
        />
      ) : null}
      <FieldInput
        field={AMOUNT}
        value={text}
        error={(isExceeded && isWrong ? null : errorOf('amount')) ?? wrongAmount}
        change={(value) => setText(String(value))}
      />
      <FieldInput
        field={REASON}
        value={reason}
        error={errorOf('reason')}
        change={(value) => setReason(String(value))}
      />
      <FieldInput
        field={NOTE}
        value={note}
        error={errorOf('note')}
        change={(value) => setNote(String(value))}
      />
      <WhatHappens order={order} payment={payment} amount={isWrong ? null : amount} isAll={amount === left} />
    </DialogFrame>
  );
}

function WhichPayment({
  payments,
  ...input
}: {
  payments: readonly Row[];
  value: string;
  error: string | null;
  change: (id: string) => void;
}) {
  const field: Field = {
    name: 'paymentId',
    label: 'column.payment',
    kind: 'choice',
    required: true,
    options: payments.map(({ id }) => String(id)),
    optionNames: Object.fromEntries(payments.map((one) => [textOf(one, 'id'), textOf(one, 'number')])),
  };
  return <FieldInput field={field} {...input} change={(value) => input.change(String(value))} />;
}

interface Happening {
  order: string;
  payment: Row;
  amount: number | null;
  isAll: boolean;
}

function WhatHappens({ order, payment, amount, isAll }: Happening) {
  const { t, money } = useLocale();
  const currency = textOf(payment, 'currency');
  const decimals = numberOf(payment, 'currencyDecimals');
  const preview = useRefundPreview(order, { paymentId: textOf(payment, 'id'), amount });
  const tax = numberOf(preview, 'tax');
  const items = rowsOf(payment, 'items');
  return (
    <section className="happens" aria-label={t('happens.title')}>
      <h3>{t('happens.title')}</h3>
      <ul>
        {tax !== null ? <li>{t('happens.tax', { tax: money(tax, currency, decimals) })}</li> : null}
        {preview?.byHand === true ? <li>{t('happens.byHand')}</li> : null}
        <li>{t('happens.creditNote')}</li>
        <li>{t('happens.mail')}</li>
        <li>{t(isAll ? 'happens.accessEnds' : 'happens.accessStays')}</li>
        <li>{t('happens.fee', { fee: money(numberOf(payment, 'fee') ?? 0, currency, decimals) })}</li>
        <li>{t('happens.event', { count: items.length })}</li>
      </ul>
    </section>
  );
}
