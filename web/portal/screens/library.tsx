/** What can be used: keys and files, and why something cannot be any more. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatSize } from '../../ui/file-size.ts';
import { useLocale } from '../../ui/locale.tsx';
import { Notice } from '../../ui/parts/notice.tsx';
import { useCopied } from '../../ui/state/use-copied.ts';
import { Go, Loading, Screen, usePortal, usePress } from '../context.tsx';
import { p, pCount } from '../text.ts';
import { useRows } from '../use-rows.tsx';

interface LibraryItem {
  id: string;
  name: string;
  /** What its name leaves out: of which product it is. */
  note: string | null;
  subscriptionId: string | null;
  status: 'active' | 'frozen' | 'ended' | 'revoked';
  endsAt: number | null;
  awaitingStock: boolean;
  keys: Array<{ id: string; key: string }>;
  download: {
    fileName: string;
    size: number;
    used: number;
    limit: number | null;
    until: number | null;
    open: boolean;
  } | null;
}

export function LibraryScreen() {
  const { rows, error, retry, more, reload } = useRows<LibraryItem>('/library/list', 'items');
  return (
    <Screen title={p('library.title')} error={error} retry={retry}>
      {!rows && !error && <Loading />}
      {rows?.length === 0 && <p>{p('library.empty')}</p>}
      <ul class="portal-list">
        {rows?.map((item) => (
          <Bought key={item.id} item={item} onUsed={() => void reload()} />
        ))}
      </ul>
      {more}
    </Screen>
  );
}

function Bought({ item, onUsed }: { item: LibraryItem; onUsed(): void }) {
  const { date, language } = useLocale();
  const { asking } = usePortal();
  const [keys, setKeys] = useState<Array<{ id: string; key: string }> | null>(null);
  /** How often it was used up when a link was taken here: opening that counts one more, a moment later. */
  const [taken, setTaken] = useState(0);
  const { isBusy, error, press } = usePress();
  const reveal = async () => {
    const data = await press(() =>
      asking.send<{ keys: Array<{ id: string; key: string }> }>('POST', `/library/${item.id}/reveal`),
    );
    if (data) setKeys(data.keys);
  };
  const download = async () => {
    const data = await press(() =>
      asking.send<{ download: { url: string; used: number } }>('POST', `/library/${item.id}/download`),
    );
    // Another page may have used it up.
    if (!data) return onUsed();
    setTaken(data.download.used + 1);
    window.location.assign(data.download.url);
  };
  const { download: file } = item;
  const left = file && file.limit !== null ? file.limit - Math.max(file.used, taken) : null;
  const isOpen = file?.open === true && (left === null || left > 0);
  return (
    <li class="portal-bought">
      <h2>{item.name}</h2>
      {item.note !== null && <p class="hint">{item.note}</p>}
      {item.status !== 'active' && <p class="hint">{toReason(item, date)}</p>}
      {item.status === 'active' && item.subscriptionId !== null && (
        <p>
          <Go to={`/subscriptions/${item.subscriptionId}`}>{p('library.subscription')}</Go>
        </p>
      )}
      {item.awaitingStock && <p class="hint">{p('library.waiting')}</p>}
      {error && <Notice text={error} />}
      {(keys ?? item.keys).map(({ id, key }, index) => (
        <p key={id} class="portal-key">
          <code id={`key-${id}`}>{key}</code>
          {keys && <CopyKey text={key} describedBy={`key-${id}`} isFirst={index === 0} />}
        </p>
      ))}
      {item.keys.length > 0 && !keys && (
        <p class="portal-key">
          <button type="button" class="secondary" disabled={isBusy} onClick={reveal}>
            {p('library.show')}
          </button>
        </p>
      )}
      {file && isOpen && (
        <p class="portal-key">
          <button type="button" class="secondary" disabled={isBusy} onClick={download}>
            {p('library.download', { file: file.fileName })}
          </button>
          <span class="hint">
            {formatSize(file.size, language)}
            {left !== null && ` · ${pCount('library.left', left)}`}
            {file.until !== null && ` · ${p('library.until', { date: date(file.until) })}`}
          </span>
        </p>
      )}
      {file && !isOpen && !error && item.status === 'active' && <p class="hint">{p('library.over')}</p>}
    </li>
  );
}

function CopyKey({ text, describedBy, isFirst }: { text: string; describedBy: string; isFirst: boolean }) {
  const { isCopied, copy } = useCopied(text);
  const button = useRef<HTMLButtonElement>(null);
  // "Show key" had the focus and is gone: whoever goes by keyboard goes on from here.
  useLayoutEffect(() => {
    if (isFirst) button.current?.focus({ preventScroll: true });
  }, []);
  return (
    <button type="button" class="secondary" ref={button} aria-describedby={describedBy} onClick={copy}>
      {isCopied ? p('library.copied') : p('library.copy')}
    </button>
  );
}

function toReason({ status, endsAt }: LibraryItem, date: (ms: number) => string): string {
  if (status === 'ended')
    return endsAt === null ? p('library.endedPlain') : p('library.ended', { date: date(endsAt) });
  return p(status === 'frozen' ? 'library.frozen' : 'library.revoked');
}
