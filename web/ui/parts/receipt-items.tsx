import { formatSize } from '../file-size.ts';
import { useLocale } from '../locale.tsx';
import { useCopied } from '../state/use-copied.ts';
import type { Receipt, ReceiptItem } from '../view.ts';
import { Cover } from './cover.tsx';
import { DownloadIcon } from './icons.tsx';
import { Parts, Row, TaxRows } from './totals.tsx';

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
            {item.downloadOver && <p class="hint">{t('receipt.over', { file: item.downloadOver })}</p>}
          </li>
        ))}
      </ul>
      {receipt.signInUrl && (
        <p class="hint">
          <a href={receipt.signInUrl}>{t('receipt.signIn')}</a>
        </p>
      )}
      <ReceiptTotals receipt={receipt} />
    </>
  );
}

/** The checkout's own lines to what was paid, and what of it was given back since. */
function ReceiptTotals({ receipt }: { receipt: Receipt }) {
  const { t, money, date } = useLocale();
  // Nothing adds up to nothing: a trial has begun, or it was free.
  const hasParts = receipt.total > 0;
  return (
    <dl class="totals">
      {hasParts && <Parts sums={receipt} />}
      {hasParts && !receipt.inclusive && <TaxRows sums={receipt} />}
      <Row label={t('receipt.total')} className="strong">
        {hasParts || receipt.subscription ? money(receipt.total, receipt) : t('headline.free')}
      </Row>
      {hasParts && receipt.inclusive && <TaxRows sums={receipt} />}
      {receipt.refunds.map(({ amount, refundedAt }, index) => (
        <Row key={index} label={t('receipt.refunded', { date: date(refundedAt) })} className="refund">
          {money(-amount, receipt)}
        </Row>
      ))}
    </dl>
  );
}

function ItemLine({ item, receipt }: { item: ReceiptItem; receipt: Receipt }) {
  const { t, money } = useLocale();
  return (
    <div class="receipt-item">
      {receipt.items.some(({ cover }) => cover) && (
        <Cover name={item.name} url={item.cover} className="small" />
      )}
      <div class="line-text">
        <p class="line-name">
          {item.quantity > 1 && `${t('receipt.quantity', { count: item.quantity })} `}
          {item.name}
        </p>
        {item.note && <p class="line-note">{item.note}</p>}
      </div>
      <span class="amount">
        {item.subtotal === 0 && !receipt.subscription ? t('headline.free') : money(item.subtotal, receipt)}
      </span>
    </div>
  );
}

function KeyLine({ value }: { value: string }) {
  const { t } = useLocale();
  const { isCopied, copy } = useCopied(value);
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
