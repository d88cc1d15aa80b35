import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../locale.tsx';
import type { Currency } from '../money.ts';
import type { Receipt, ReceiptItem, Refund } from '../view.ts';
import { Cover } from './cover.tsx';
import { DownloadIcon } from './icons.tsx';
import { tellsMore } from './line-item.tsx';

/** The things bought, each with its keys and its file, and what they came to. */
export function ReceiptItems({ receipt }: { receipt: Receipt }) {
  const { t } = useLocale();
  return (
    <>
      <ul class="receipt-items" aria-label={t('receipt.items')}>
        {receipt.items.map((item, index) => (
          // Two items may be alike in everything, and their order never changes.
          <li key={index}>
            <ItemLine item={item} receipt={receipt} />
            {item.keys.map((key) => (
              <KeyLine key={key} value={key} />
            ))}
            {item.awaitingStock && <p class="awaiting">{t('receipt.awaiting')}</p>}
            {item.download && <DownloadLink download={item.download} />}
          </li>
        ))}
      </ul>
      <ReceiptTotals receipt={receipt} />
    </>
  );
}

interface ReceiptSums extends Currency {
  total: number;
  tax: number;
  refunds: Refund[];
}

/** What was paid, and what of it was given back since. */
export function ReceiptTotals({ receipt }: { receipt: ReceiptSums }) {
  const { t, money, date } = useLocale();
  return (
    <dl class="totals">
      <div class="strong">
        <dt>{t('receipt.total')}</dt>
        <dd>{money(receipt.total, receipt)}</dd>
      </div>
      {receipt.tax > 0 && (
        <div class="included">
          <dt>{t('receipt.includedTax')}</dt>
          <dd>{money(receipt.tax, receipt)}</dd>
        </div>
      )}
      {receipt.refunds.map(({ amount, refundedAt }, index) => (
        <div key={index} class="refund">
          <dt>{t('receipt.refunded', { date: date(refundedAt) })}</dt>
          <dd>{money(-amount, receipt)}</dd>
        </div>
      ))}
    </dl>
  );
}

function ItemLine({ item, receipt }: { item: ReceiptItem; receipt: Receipt }) {
  const { t, money } = useLocale();
  return (
    <div class="receipt-item">
      <Cover name={item.name} url={item.cover} className="small" />
      <div class="line-text">
        <p class="line-name">
          {item.quantity > 1 && `${t('receipt.quantity', { count: item.quantity })} `}
          {item.name}
        </p>
        {tellsMore(item) && <p class="line-note">{item.variantName}</p>}
      </div>
      <span class="amount">{money(item.total, receipt)}</span>
    </div>
  );
}

const COPIED_SHOWN_MS = 2_000;

function KeyLine({ value }: { value: string }) {
  const { t } = useLocale();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  // Without the right to the clipboard the key can still be selected by hand.
  const copy = () =>
    navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => {},
    );
  return (
    <div class="key">
      <span class="sr-only">{t('receipt.key')}</span>
      <code>{value}</code>
      <button
        type="button"
        class="secondary"
        aria-label={t('receipt.copyLabel', { key: value })}
        onClick={copy}
      >
        {t(isCopied ? 'receipt.copied' : 'receipt.copy')}
      </button>
      <span class="sr-only" aria-live="polite">
        {isCopied ? t('receipt.copied') : ''}
      </span>
    </div>
  );
}

const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

function DownloadLink({ download }: { download: NonNullable<ReceiptItem['download']> }) {
  const { t, language } = useLocale();
  return (
    <a class="download" href={download.url} download={download.fileName}>
      <DownloadIcon />
      <span class="download-name">
        <span class="sr-only">{t('receipt.download')} </span>
        {download.fileName}
      </span>
      {download.size !== null && <span class="line-note">{formatSize(download.size, language)}</span>}
    </a>
  );
}

function formatSize(bytes: number, language: string): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZE_UNITS.length - 1);
  const format = { style: 'unit', unit: SIZE_UNITS[step], maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, format).format(bytes / 1000 ** step);
}
