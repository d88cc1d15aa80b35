/** A dialog: the consequence first, the verb again on its button, "Keep" to leave. */

import type { FormEvent, ReactNode } from 'react';
import type { ApiError } from '../api/client.ts';
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
  close,
  submit,
  children,
}: FrameProps) {
  const { t } = useLocale();
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && !isOff) submit();
  };
  return (
    <Dialog onClose={close} title={title}>
      <form className="stack" onSubmit={send} noValidate>
        {text ? <p>{text}</p> : null}
        <ErrorNotice text={error?.details.length === 0 ? error.message : null} />
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
