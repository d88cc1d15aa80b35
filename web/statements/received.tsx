import { useEffect, useRef } from 'preact/hooks';
import { useLocale } from '../ui/locale.tsx';
import { SealIcon } from '../ui/parts/icons.tsx';

interface ReceivedPanelProps {
  title: string;
  text: string;
  facts: Array<[string, string]>;
  confirmationUrl: string;
}

/** What was stated and when, once it has come in. */
export function ReceivedPanel({ title, text, facts, confirmationUrl }: ReceivedPanelProps) {
  const { t } = useLocale();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section class="statement-done receipt">
      <div class="receipt-head">
        <SealIcon />
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p>{text}</p>
      </div>
      <div class="perforated">
        <dl class="facts">
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p>
          <a href={confirmationUrl} download>
            {t('statement.confirmation')}
          </a>
        </p>
      </div>
    </section>
  );
}
