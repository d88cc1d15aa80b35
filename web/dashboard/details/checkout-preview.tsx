import { useEffect, useRef } from 'react';
import { useLocale } from '../ui/locale.tsx';

/** The checkout as a buyer would see it; `branding` is a look that was not saved yet. */
export function CheckoutPreview({
  kind,
  id,
  branding,
}: {
  kind: 'element' | 'offer';
  id: string;
  branding?: Record<string, unknown>;
}) {
  const { t } = useLocale();
  const frame = useRef<HTMLIFrameElement>(null);
  const latest = useRef(branding);
  latest.current = branding;
  useEffect(() => {
    const send = () => {
      if (latest.current)
        frame.current?.contentWindow?.postMessage({ branding: latest.current }, window.location.origin);
    };
    // The frame says when it can listen.
    const hear = (event: MessageEvent) => {
      if (event.origin === window.location.origin && event.source === frame.current?.contentWindow) send();
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, []);
  useEffect(() => {
    if (branding) frame.current?.contentWindow?.postMessage({ branding }, window.location.origin);
  }, [branding]);
  return (
    <iframe
      ref={frame}
      className="preview-frame"
      title={t('checkout.previewTitle')}
      src={`/checkout-preview/${kind}/${encodeURIComponent(id)}`}
    />
  );
}
