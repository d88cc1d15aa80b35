/** A dialog: the consequence first, the verb again on its button, "Keep" to leave. */

import { type FormEvent, type ReactNode, useRef } from 'react';
import type { ApiError } from '../api/client.ts';
import { toRestOfError } from '../forms/rest-of-error.ts';
import { useFocusOnError } from '../forms/use-focus-on-error.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';

interface FrameProps {
  title: string;
  text?: string;
  confirm: string;
  isDanger?: boolean;
  isBusy?: boolean;
  isOff?: boolean;
  error?: ApiError | null;
  /** Fields of the body that say at their place what is wrong with them. */
  shows?: readonly string[];
  close: () => void;
  submit: () => void;
  children?: ReactNode;
}

export function DialogFrame({
  title,
  text,
  confirm,
  isDanger,
  isBusy,
  isOff,
  error,
  shows = [],
  close,
  submit,
  children,
}: FrameProps) {
  const { t } = useLocale();
  const form = useRef<HTMLFormElement>(null);
  useFocusOnError(form, error);
  const isAtField = (path: string) => shows.some((name) => path === name || path.startsWith(`${name}.`));
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && !isOff) submit();
  };
  return (
    <Dialog onClose={close} title={title}>
      <form ref={form} className="stack" onSubmit={send} noValidate>
        {text ? <p>{text}</p> : null}
        <ErrorNotice text={error ? toRestOfError(error, isAtField) : null} />
        {children}
        <div className="dialog-buttons">
          <button type="button" className="plain-button" onClick={close}>
            {t('keep')}
          </button>
          <button
            type="submit"
            className="main-button"
            data-danger={isDanger}
            aria-busy={isBusy}
            aria-disabled={isOff || isBusy}
          >
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
