import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../ui/locale.tsx';
import { MessagePanel } from '../ui/parts/message-panel.tsx';
import type { ReceiptProps } from './receipt-page.tsx';

type Drawing = typeof import('./receipt-page.tsx').ReceiptPage;

const load = () => import('./receipt-page.tsx').then(({ ReceiptPage }) => ReceiptPage);
let loading: Promise<Drawing> | undefined;

/** Asks for what draws the receipt before there is one, so that it stands at once when the bank has said yes. */
export function prepareReceipt(): void {
  loading ??= load();
  // What fails is asked for once more when it is needed.
  loading.catch(() => {
    loading = undefined;
  });
}

/** The receipt, whose part of the program a buyer who only looks never loads. */
export function LaterReceipt(props: ReceiptProps) {
  const { t } = useLocale();
  const [drawn, setDrawn] = useState<{ Receipt: Drawing } | null>(null);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    prepareReceipt();
    loading?.then(
      (Receipt) => setDrawn({ Receipt }),
      // A release may have replaced it: the page comes anew, once, with the receipt at its address.
      () => (props.isNew ? window.location.reload() : setLost(true)),
    );
  }, []);
  if (drawn) return <drawn.Receipt {...props} />;
  if (!isLost) return null;
  return (
    <main class="page narrow">
      <MessagePanel heading={t('message.internal.title')} text={t('message.internal.text')} />
    </main>
  );
}
