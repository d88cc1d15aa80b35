/** Entry of the pages that only say how things stand: unknown, expired or closed checkouts. */
import { useEffect } from 'preact/hooks';
import { useLocale } from './locale.tsx';
import { mountPage } from './mount.tsx';
import { MessagePanel } from './parts/message-panel.tsx';
import { PageFooter } from './parts/seller-line.tsx';
import type { Notice } from './view.ts';

function MessagePage({ code, message }: Notice) {
  const { t, tCode } = useLocale();
  const isKnown = code === 'not_found' || code === 'internal';
  const heading = t(isKnown ? `message.${code}.title` : 'message.other.title');
  useEffect(() => {
    document.title = heading;
  }, [heading]);
  return (
    <div class="page narrow">
      <main class="ticket single">
        <MessagePanel
          heading={heading}
          text={isKnown ? t(`message.${code}.text`) : tCode('error.', code, message)}
        />
      </main>
      <PageFooter supportEmail={null} />
    </div>
  );
}

void mountPage<Notice>((refusal) => <MessagePage {...refusal} />);
