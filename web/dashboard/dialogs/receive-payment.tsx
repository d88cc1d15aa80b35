import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { numberOf, type Row, textOf } from '../api/objects.ts';
import { useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { useTestClock } from '../app/use-clock.ts';
import { FieldInput } from '../forms/field-input.tsx';
import type { Field } from '../forms/types.ts';
import { toInput, toSent, type Values } from '../forms/values.ts';
import { useLocale } from '../ui/locale.tsx';
import { DialogFrame } from './frame.tsx';

const FIELDS: readonly Field[] = [
  { name: 'amount', kind: 'money', required: true },
  { name: 'receivedAt', kind: 'time', required: true },
  { name: 'reference', kind: 'text', required: true, hint: 'receive.referenceHint' },
];
const MINUTE_MS = 60_000;

/** A transfer that has come: how much, when, and what it is known by. The amount is typed, so that it is looked at. */
export function ReceivePayment({ row, close }: { row: Row; close: () => void }) {
  const { t, language, money } = useLocale();
  const clock = useTestClock();
  const { zone } = useStore();
  const currency = textOf(row, 'currency');
  const [typed, setTyped] = useState<Values>({});
  const write = useWrite();
  // Not ahead of the store's clock, which refuses what has not come yet.
  const nowMs = Math.floor((clock?.now ?? Date.now()) / MINUTE_MS) * MINUTE_MS;
  const inputOf = (field: Field) =>
    typed[field.name] ??
    (field.name === 'receivedAt' ? toInput(field, nowMs, { language, currency, zone }) : '');
  const submit = () => {
    const body = Object.fromEntries(
      FIELDS.map((field) => [field.name, toSent(field, inputOf(field), { language, currency, zone })]),
    );
    write.mutate(
      { method: 'POST', path: `/v0/payments/${encodeURIComponent(textOf(row, 'id'))}/receive`, body },
      {
        onSuccess: () => {
          notifications.show({ message: t('receive.done') });
          close();
        },
      },
    );
  };
  const errorOf = (name: string) => write.error?.details.find(({ path }) => path === name)?.message ?? null;
  const amount = money(numberOf(row, 'value') ?? 0, currency, numberOf(row, 'currencyDecimals'));
  return (
    <DialogFrame
      title={t('action.markReceived')}
      text={t('receive.text', { amount })}
      confirm={t('action.markReceived')}
      isBusy={write.isPending}
      error={write.error}
      shows={FIELDS.map(({ name }) => name)}
      close={close}
      submit={submit}
    >
      {FIELDS.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={inputOf(field)}
          error={errorOf(field.name)}
          change={(value) => setTyped({ ...typed, [field.name]: value })}
        />
      ))}
    </DialogFrame>
  );
}
