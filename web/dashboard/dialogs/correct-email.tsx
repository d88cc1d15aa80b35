import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { ApiError, call, newKey } from '../api/client.ts';
import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { FieldInput } from '../forms/field-input.tsx';
import { isResendable } from '../lists/mail-kinds.ts';
import { useLocale } from '../ui/locale.tsx';
import { DialogFrame } from './frame.tsx';

/** Of each matter the newest letter: one that was sent again already is not sent twice. */
function listMatters(mails: readonly Row[]): Row[] {
  const found = new Map<string, Row>();
  for (const mail of mails.filter(isResendable)) {
    const matter = `${textOf(mail, 'kind')} ${textOf(mail, 'paymentId')}`;
    if (!found.has(matter)) found.set(matter, mail);
  }
  return [...found.values()];
}

/** Whose order it is was written wrongly: all of their orders move, and this one's letters go out again. */
export function CorrectEmail({ row, close }: { row: Row; close: () => void }) {
  const { t } = useLocale();
  const { store, may } = useStore();
  const userId = textOf(row, 'userId');
  const read = useRead<Row>(`/v0/users/${userId}`);
  const user = rowOf(read.data, 'user');
  const [typed, setTyped] = useState<string | null>(null);
  const write = useWrite();
  const canResend = may('mails', 'write');
  const email = typed ?? textOf(user, 'email');
  const resend = async () => {
    const query = new URLSearchParams({ orderId: textOf(row, 'id'), take: '100' });
    const { mails } = await call<{ mails: Row[] }>({ store, path: '/v0/mails/list', query });
    for (const mail of listMatters(mails)) {
      const path = `/v0/mails/${textOf(mail, 'id')}/resend`;
      await call({ store, method: 'POST', path, idempotencyKey: newKey() });
    }
  };
  const submit = () => {
    const version = numberOf(user, 'version');
    write.mutate(
      {
        method: 'PATCH',
        path: `/v0/users/${userId}/update`,
        body: { email },
        ...(version === null ? {} : { ifMatch: `"${version}"` }),
      },
      {
        onSuccess: () => {
          close();
          if (!canResend) return void notifications.show({ message: t('form.done') });
          resend().then(
            () => notifications.show({ message: t('correctEmail.done') }),
            (error: unknown) =>
              notifications.show({
                color: 'danger',
                message: t('correctEmail.notSent', {
                  reason: error instanceof ApiError ? error.message : String(error),
                }),
              }),
          );
        },
        // Somebody else may have corrected it: what it is now stands in the field once it is read.
        onError: (error) => error.code === 'edit_conflict' && void read.refetch(),
      },
    );
  };
  return (
    <DialogFrame
      title={t('action.correctEmail')}
      text={t(canResend ? 'correctEmail.text' : 'customer.emailHint')}
      confirm={t('action.correctEmail')}
      isBusy={write.isPending}
      isOff={!user || email.trim() === '' || email === textOf(user, 'email')}
      error={write.error ?? read.error}
      shows={['email']}
      close={close}
      submit={submit}
    >
      {user ? <p className="soft">{t('correctEmail.now', { email: textOf(user, 'email') })}</p> : null}
      <FieldInput
        field={{ name: 'email', label: 'column.email', kind: 'email', required: true }}
        value={email}
        error={write.error?.details.find(({ path }) => path === 'email')?.message ?? null}
        change={(value) => setTyped(String(value))}
      />
    </DialogFrame>
  );
}
