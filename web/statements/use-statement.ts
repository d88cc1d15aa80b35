import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../ui/api.ts';
import type { FieldErrors } from '../ui/form.ts';
import { describeField, useLocale } from '../ui/locale.tsx';
import { s } from './text.ts';

/** What a field of the form shows and tells. */
export interface Bound {
  name: string;
  value: string;
  error: string | undefined;
  onValue(value: string): void;
}

export interface Statement<V extends Record<string, string>, T> {
  form: RefObject<HTMLFormElement>;
  isBusy: boolean;
  errors: FieldErrors;
  notice: string | null;
  /** What was typed, by field. */
  values: V;
  /** What the server has received; null until then. */
  received: T | null;
  change(field: keyof V & string, value: string): void;
  bind(field: keyof V & string): Bound;
  clearError(path: string): void;
  /** Sends it, unless something is plainly missing: in words, by field. */
  send(missing: FieldErrors, post: () => Promise<Answer<T>>): Promise<void>;
}

/** One statement, sent once; what was typed stays whatever comes of it. `others` are fields that nobody types into. */
export function useStatement<V extends Record<string, string>, T>(
  empty: V,
  others: readonly string[] = [],
): Statement<V, T> {
  const locale = useLocale();
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [values, setValues] = useState(empty);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [notice, setNotice] = useState<string | null>(null);
  const [received, setReceived] = useState<T | null>(null);
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);

  const take = (answer: Answer<T>) => {
    if (answer.kind === 'ok') return setReceived(answer.data);
    if (answer.kind === 'lost') return setNotice(s('statement.lost'));
    const atFields = answer.details.filter(({ path }) => path in values || others.includes(path));
    setErrors(
      Object.fromEntries(atFields.map(({ path, message }) => [path, describeField(locale, path, message)])),
    );
    setNotice(
      atFields.length > 0 ? locale.t('notice.fields') : locale.tCode('error.', answer.code, answer.message),
    );
  };
  const clearError = (path: string) => {
    if (path in errors) setErrors(({ [path]: _cleared, ...left }) => left);
  };
  const change = (field: keyof V & string, value: string) => {
    clearError(field);
    setValues((before) => ({ ...before, [field]: value }));
  };

  return {
    ...{ form, isBusy, errors, notice, values, received, change, clearError },
    bind: (field) => ({
      ...{ name: field, value: values[field], error: errors[field] },
      onValue: (value) => change(field, value),
    }),
    send: async (missing, post) => {
      if (isBusy) return;
      const isWhole = Object.keys(missing).length === 0;
      setErrors(missing);
      setNotice(isWhole ? null : locale.t('notice.fields'));
      if (!isWhole) return;
      setBusy(true);
      take(await post());
      setBusy(false);
    },
  };
}
