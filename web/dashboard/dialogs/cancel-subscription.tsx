import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { FieldInput } from '../forms/field-input.tsx';
import { nameAmount } from '../forms/values.ts';
import { canAct } from '../lists/subscription-acts.ts';
import { useLocale } from '../ui/locale.tsx';
import { showUndo } from '../ui/undo-toast.tsx';
import { DialogFrame } from './frame.tsx';

const WAYS = ['end', 'now', 'refund'] as const;
type Way = (typeof WAYS)[number];

const BODIES: Record<Way, Record<string, unknown>> = {
  end: { cancelAtIntervalEnd: true },
  now: { immediately: true },
  refund: { immediately: true, refund: true },
};

export function CancelSubscription({ row, close }: { row: Row; close: () => void }) {
  const locale = useLocale();
  const { t, day, language } = locale;
  const { zone, may } = useStore();
  // One that ends already, and one whose last period is owed, can only end at once.
  const canEnd = canAct('setEnd', row) && row.cancelAtIntervalEnd !== true;
  const [way, setWay] = useState<Way>(canEnd ? 'end' : 'now');
  const [reason, setReason] = useState('');
  const write = useWrite();
  const undo = useWrite();
  const path = `/v0/subscriptions/${encodeURIComponent(textOf(row, 'id'))}/cancel`;
  const end = numberOf(row, 'currentIntervalEnd');
  const date = end === null ? '' : day(end, zone);
  const preview = rowOf(useRead(`${path}/preview`).data, 'cancelPreview');
  const amount = nameAmount(numberOf(preview, 'amount') ?? 0, textOf(row, 'currency'), language);
  const ways = WAYS.filter((one) => (one === 'end' ? canEnd : one === 'now' || may('refunds', 'write')));
  const takeBack = () => undo.mutateAsync({ method: 'PATCH', path, body: { cancelAtIntervalEnd: false } });
  const submit = () =>
    write.mutate(
      { method: 'PATCH', path, body: { ...BODIES[way], ...(reason === '' ? {} : { reason }) } },
      {
        onSuccess: () => {
          if (way === 'end') showUndo(t('cancel.doneEnd', { date }), takeBack, locale);
          else notifications.show({ message: t('cancel.doneNow') });
          close();
        },
      },
    );
  return (
    <DialogFrame
      title={t('action.cancelSubscription')}
      text={t('cancel.text')}
      confirm={
        way === 'refund' && preview ? t('cancel.confirmRefund', { amount }) : t('action.cancelSubscription')
      }
      isDanger
      isBusy={write.isPending}
      error={write.error}
      shows={['reason']}
      close={close}
      submit={submit}
    >
      <div className="choice-cards" role="radiogroup" aria-label={t('cancel.when')}>
        {ways.map((one) => (
          <label key={one}>
            <input type="radio" name="way" checked={way === one} onChange={() => setWay(one)} />
            <span>
              <strong>{t(`cancel.${one}`, { date })}</strong>
            </span>
            <small>
              {one === 'refund' && preview
                ? t('cancel.refundAmount', { amount })
                : t(`cancel.${one}Text`, { date })}
            </small>
          </label>
        ))}
      </div>
      <FieldInput
        field={{ name: 'reason', kind: 'text' }}
        value={reason}
        error={write.error?.details.find(({ path }) => path === 'reason')?.message ?? null}
        change={(value) => setReason(String(value))}
      />
    </DialogFrame>
  );
}
