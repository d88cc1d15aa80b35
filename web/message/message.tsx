/** Entry of the pages that only say how things stand: unknown, expired or closed checkouts. */
import { useEffect } from 'preact/hooks';
import { useLocale } from '../ui/locale.tsx';
import { mountPage } from '../ui/mount.tsx';
import { MessagePanel } from '../ui/parts/message-panel.tsx';
import { PageFooter } from '../ui/parts/seller-line.tsx';
import type { Notice } from '../ui/view.ts';

/** What a page has words for: to a buyer a service that is not there for a moment is one that failed. */
const KNOWN: Record<string, 'not_found' | 'internal'> = {
  not_found: 'not_found',
  internal: 'internal',
  unavailable: 'internal',
};

function MessagePage({ code, message }: Notice) {
  const { t, tCode } = useLocale();
  const known = KNOWN[code];
  const heading = t(`message.${known ?? 'other'}.title`);
  useEffect(() => {
    document.title = heading;
  }, [heading]);
  return (
    <div class="page narrow">
      <main class="ticket single">
        <MessagePanel
          heading={heading}
          text={known ? t(`message.${known}.text`) : tCode('error.', code, message)}
        />
      </main>
      <PageFooter supportEmail={null} />
    </div>
  );
}

void mountPage<Notice>((refusal) => <MessagePage {...refusal} />);
