import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { copyText } from './copy-text.ts';
import { useLocale } from './locale.tsx';
import { useTitle } from './use-title.ts';

/** What went wrong, in a way that support can work with. */
export function Failure(props: {
  error: Error;
  retry?: () => void;
  /** It is all that the page shows. */
  isAlone?: boolean;
  /** It stands where a screen would. */
  isScreen?: boolean;
}) {
  const { t } = useLocale();
  const { error, retry } = props;
  const of = error instanceof ApiError ? error : null;
  const isPage = props.isAlone || props.isScreen;
  const Title = isPage ? 'h1' : 'h2';
  useTitle(isPage ? t('failure.title') : null);
  const panel = (
    <section className="failure" role="alert">
      <Title>{t('failure.title')}</Title>
      <p>{error.message}</p>
      {of ? <p className="mono soft">{of.code}</p> : null}
      <p className="button-row">
        {retry ? (
          <button type="button" className="plain-button" onClick={retry}>
            {t('failure.again')}
          </button>
        ) : null}
        {of?.requestId ? <CopyButton text={of.requestId} label={t('failure.copyRequestId')} /> : null}
      </p>
    </section>
  );
  return props.isAlone ? <main className="lonely">{panel}</main> : panel;
}

const SHOWN_MS = 1_500;

/** Copies, and says so for a moment. */
export function CopyButton({
  text,
  label,
  className = 'plain-button',
}: {
  text: string;
  label: string;
  className?: string;
}) {
  const { t } = useLocale();
  const [outcome, setOutcome] = useState<'copied' | 'notCopied' | null>(null);
  const copy = async () => {
    setOutcome(
      await copyText(text).then(
        () => 'copied' as const,
        () => 'notCopied' as const,
      ),
    );
    setTimeout(() => setOutcome(null), SHOWN_MS);
  };
  return (
    <button type="button" className={className} onClick={() => void copy()}>
      <span aria-live="polite">{outcome === null ? label : t(outcome)}</span>
    </button>
  );
}
