import { type HTMLAttributes, type ReactNode, useId } from 'react';
import { isOpenLine } from '../api/client.ts';
import { useLocale } from '../ui/locale.tsx';

/** A ticket with a torn-off stub: the mark on the stub, the form below the tear. */
export function Entrance(props: { title: string; text?: string; hint?: string; children: ReactNode }) {
  const { t } = useLocale();
  return (
    <main className="lonely">
      {isOpenLine() ? (
        <p className="banner" role="alert">
          {t('banner.http')}
        </p>
      ) : null}
      <div className="entrance">
        <div className="entrance-stub">
          <Mark />
          <span>Counterfoil</span>
        </div>
        <div className="entrance-pane">
          <h1>{props.title}</h1>
          {props.text ? <p className="soft">{props.text}</p> : null}
          {props.children}
        </div>
      </div>
      {props.hint ? <p className="entrance-hint soft">{props.hint}</p> : null}
    </main>
  );
}

/** The ticket that the favicon shows. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M5 6h22a3 3 0 0 1 3 3v3.500a3.500 3.500 0 0 0 0 7V23a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3v-3.500a3.500 3.500 0 0 0 0-7V9a3 3 0 0 1 3-3Z" />
      <path className="mark-tear" d="M12 8v16" />
    </svg>
  );
}

interface TextFieldProps {
  label: string;
  value: string;
  change: (value: string) => void;
  name?: string;
  type?: string;
  autoComplete?: string;
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  hint?: string;
  error?: string | null;
  required?: boolean;
}

/** A field of the pages before the store: small, and without the parts that only the store needs. */
export function TextField({ label, value, change, hint, error, ...input }: TextFieldProps) {
  const id = useId();
  const notes = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className="text-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        {...input}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={notes || undefined}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {error ? (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      ) : null}
    </div>
  );
}
