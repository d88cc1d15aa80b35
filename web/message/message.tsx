/** Entry of the pages that only say how things stand: unknown, expired or closed checkouts. */
import { useEffect } from 'preact/hooks';
import { useLocale } from '../ui/locale.tsx';
import { mountPage } from '../ui/mount.tsx';
import { MessagePanel } from '../ui/parts/message-panel.tsx';
import { PageFooter, SellerLine } from '../ui/parts/seller-line.tsx';
import type { ShopNotice } from '../ui/view.ts';

/** What a page has words for: to a buyer a service that is not there for a moment is one that failed. */
const KNOWN: Record<string, 'not_found' | 'internal'> = {
  not_found: 'not_found',
  route_not_found: 'not_found',
  download_over: 'not_found',
  internal: 'internal',
  unavailable: 'internal',
};

function MessagePage({ code, message, seller, testMode = false, legal }: ShopNotice) {
  const { t, tCode } = useLocale();
  const known = KNOWN[code];
  const heading = t(`message.${known ?? 'other'}.title`);
  useEffect(() => {
    document.title = heading;
  }, [heading]);
  return (
    <div class="page narrow">
      <main class="ticket single">
        {seller && <SellerLine seller={seller} testMode={testMode} />}
        <MessagePanel
          heading={heading}
          text={known ? t(`message.${known}.text`) : tCode('error.', code, message)}
        >
          <WayBack />
        </MessagePanel>
      </main>
      <PageFooter seller={seller ?? null} legal={legal} />
    </div>
  );
}

/** To the page that led here, which is most likely the shop's. */
function WayBack() {
  const { t } = useLocale();
  const { referrer } = document;
  if (!/^https?:/.test(referrer)) return null;
  const { host, origin } = new URL(referrer);
  return (
    <a class="secondary" href={referrer}>
      {origin === window.location.origin ? t('message.back') : t('back', { host })}
    </a>
  );
}

void mountPage<ShopNotice>((refusal) => <MessagePage {...refusal} />);
