import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../locale.tsx';
import type { TransferTexts } from '../transfer/texts.ts';
import type { TransferPanelProps } from '../transfer/transfer-panel.tsx';

const RETRY_MS = 3_000;

type AwaitedTransferProps = Omit<TransferPanelProps, 'texts'>;

interface Loaded {
  Panel: FunctionComponent<TransferPanelProps>;
  texts: TransferTexts;
}

/** Where to send the money. Few pages show it: its drawing comes with the first that does. */
export function AwaitedTransfer(props: AwaitedTransferProps) {
  const { t, language } = useLocale();
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const load = () =>
      Promise.all([
        import('../transfer/transfer-panel.tsx'),
        import('../transfer/texts.ts').then(({ loadTransferTexts }) => loadTransferTexts(language)),
      ]).then(
        ([{ TransferPanel: Panel }, texts]) => isOver || setLoaded({ Panel, texts }),
        () => {
          if (isOver) return;
          setOffline(true);
          timer = setTimeout(() => void load(), RETRY_MS);
        },
      );
    void load();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [language]);
  if (loaded) return <loaded.Panel texts={loaded.texts} {...props} />;
  return (
    <div class="panel" role="status">
      <span class="pulse" aria-hidden="true" />
      {isOffline && <p class="hint">{t('processing.offline')}</p>}
    </div>
  );
}
