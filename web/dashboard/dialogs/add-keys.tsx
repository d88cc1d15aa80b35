import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { numberOf, type Row, rowsOf, textOf } from '../api/objects.ts';
import { useWrite } from '../api/use-api.ts';
import { FieldInput } from '../forms/field-input.tsx';
import { useLocale } from '../ui/locale.tsx';
import { DialogFrame } from './frame.tsx';
import { countTwice, decodeText, toKeys } from './keys-of.ts';

/** Keys into stock: looked at first, which writes nothing, then added. */
export function AddKeys({ row, close }: { row: Row; close: () => void }) {
  const { t } = useLocale();
  const [text, setText] = useState('');
  const [fileName, setFileName] = useState<string | null>(null);
  const [checked, setChecked] = useState<{ text: string; answer: Row } | null>(null);
  const write = useWrite<Row>();
  const keys = toKeys(text);
  const path = `/v0/offers/${textOf(row, 'id')}/keys/add`;
  const answer = checked?.text === text ? checked.answer : null;
  const added = numberOf(answer, 'added') ?? 0;
  const invalid = rowsOf(answer, 'invalid');
  const twice = countTwice(keys, new Set(invalid.map((one) => numberOf(one, 'index'))));
  const load = async (file: File | undefined) => {
    if (!file) return;
    setFileName(file.name);
    setText(decodeText(new Uint8Array(await file.arrayBuffer())));
  };
  const check = () =>
    write.mutate(
      { method: 'POST', path, body: { productKeys: keys, dryRun: true } },
      { onSuccess: (data) => setChecked({ text, answer: data }) },
    );
  const add = () =>
    write.mutate(
      { method: 'POST', path, body: { productKeys: keys, ...(fileName ? { fileName } : {}) } },
      {
        onSuccess: () => {
          notifications.show({ message: t('addKeys.done', { count: added }) });
          close();
        },
      },
    );
  return (
    <DialogFrame
      title={t('action.addKeys')}
      text={t('addKeys.text')}
      confirm={answer ? t('addKeys.confirm', { count: added }) : t('addKeys.check')}
      isBusy={write.isPending}
      isOff={keys.length === 0 || (answer !== null && added === 0)}
      error={write.error}
      shows={['productKeys']}
      close={close}
      submit={answer ? add : check}
    >
      <FieldInput
        field={{ name: 'keys', kind: 'lines', required: true }}
        value={text}
        error={write.error?.details.find(({ path }) => path.split('.')[0] === 'productKeys')?.message ?? null}
        change={(value) => setText(String(value))}
      />
      <label className="text-field">
        {t('addKeys.file')}
        <input
          type="file"
          accept=".csv,.txt,text/plain,text/csv"
          onChange={(event) => void load(event.currentTarget.files?.[0])}
        />
      </label>
      {answer ? (
        <p className="notice" role="status">
          {t('addKeys.found', {
            added,
            stocked: (numberOf(answer, 'duplicates') ?? 0) - twice,
            twice,
            invalid: invalid.length,
          })}
        </p>
      ) : null}
    </DialogFrame>
  );
}
