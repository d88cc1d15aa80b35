import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../ui/api.ts';
import type { FieldErrors } from '../ui/form.ts';
import { describeField, useLocale } from '../ui/locale.tsx';
import type { TextKey } from '../ui/texts.ts';

export interface Statement<T> {
  form: RefObject<HTMLFormElement>;
  isBusy: boolean;
  errors: FieldErrors;
  notice: string | null;
  /** What the server has received; null until then. */
  received: T | null;
  clearError(path: string): void;
  /** Sends it, unless something is plainly missing: by field, as keys of the texts. */
  send(missing: Record<string, TextKey>, post: () => Promise<Answer<T>>): Promise<void>;
}

/** One statement, sent once; what was typed stays whatever comes of it. */
export function useStatement<T>(fields: readonly string[]): Statement<T> {
  const locale = useLocale();
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [notice, setNotice] = useState<string | null>(null);
  const [received, setReceived] = useState<T | null>(null);
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);

  const take = (answer: Answer<T>) => {
    if (answer.kind === 'ok') return setReceived(answer.data);
    if (answer.kind === 'lost') return setNotice(locale.t('statement.lost'));
    const atFields = answer.details.filter(({ path }) => fields.includes(path));
    setErrors(
      Object.fromEntries(atFields.map(({ path, message }) => [path, describeField(locale, path, message)])),
    );
    setNotice(
      atFields.length > 0 ? locale.t('notice.fields') : locale.tCode('error.', answer.code, answer.message),
    );
  };

  return {
    ...{ form, isBusy, errors, notice, received },
    clearError: (path) => {
      if (path in errors) setErrors(({ [path]: _cleared, ...others }) => others);
    },
    send: async (missing, post) => {
      if (isBusy) return;
      const found = Object.entries(missing).map(([path, key]) => [path, locale.t(key)]);
      setErrors(Object.fromEntries(found));
      setNotice(found.length > 0 ? locale.t('notice.fields') : null);
      if (found.length > 0) return;
      setBusy(true);
      take(await post());
      setBusy(false);
    },
  };
}
