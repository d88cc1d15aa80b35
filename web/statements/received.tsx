import { useEffect, useRef } from 'preact/hooks';
import { useLocale } from '../ui/locale.tsx';
import { SealIcon } from '../ui/parts/icons.tsx';
import type { FormPage, Received } from '../ui/statement.ts';
import { Frame } from './frame.tsx';
import { s } from './text.ts';

interface ReceivedPageProps {
  page: FormPage;
  kind: 'withdraw' | 'cancel';
  received: Received;
  /** What was stated, in words. */
  facts: ReadonlyArray<readonly [string, string]>;
  confirmationUrl: string;
}

/** What was stated and when, once it has come in. */
export function ReceivedPage({ page, kind, received, facts, confirmationUrl }: ReceivedPageProps) {
  const { moment } = useLocale();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  const { number, receivedAt, email } = received;
  const arrival = [
    [s('statement.number'), number],
    [s('statement.received'), moment(receivedAt)],
  ] as const;
  return (
    <Frame page={page} title={s(`${kind}.receivedTitle`)}>
      <section class="statement-done receipt">
        <div class="receipt-head">
          <SealIcon />
          <h1 ref={heading} tabIndex={-1}>
            {s(`${kind}.receivedTitle`)}
          </h1>
          <p>{s(`${kind}.receivedText`, { email })}</p>
        </div>
        <div class="perforated">
          <dl class="facts">
            {[...arrival, ...facts].map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <p>
            <a href={confirmationUrl} download>
              {s('statement.confirmation')}
            </a>
          </p>
        </div>
      </section>
    </Frame>
  );
}
