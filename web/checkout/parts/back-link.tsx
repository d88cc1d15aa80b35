import { useLocale } from '../../ui/locale.tsx';
import type { SessionView } from '../../ui/view.ts';
import { isInFrame } from '../frame/channel.ts';

/** The way back to the shop, where the seller has named one. */
export function BackLink({
  view: { cancelUrl, seller },
  className = 'back-link',
}: {
  view: Pick<SessionView, 'cancelUrl' | 'seller'>;
  className?: string;
}) {
  const { t } = useLocale();
  const url = cancelUrl ?? seller.branding.websiteUrl;
  if (url === null) return null;
  return (
    <a class={className} href={url} target={isInFrame() ? '_top' : undefined}>
      {t('back', { host: new URL(url).host })}
    </a>
  );
}
