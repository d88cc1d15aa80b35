import { useEffect, useRef } from 'preact/hooks';
import { encode } from 'uqr';
import { useLocale } from '../locale.tsx';
import { toDecimalString } from '../money.ts';
import { useCopied } from '../state/use-copied.ts';
import { fillText } from '../texts.ts';
import type { Transfer } from '../view.ts';
import type { TransferTexts } from './texts.ts';
import './transfer.css';

/** Of white around the code, in its own dots: without it cameras miss it. */
const QUIET = 3;

export interface TransferPanelProps {
  transfer: Transfer;
  texts: TransferTexts;
  /** The page has no other heading of its own. */
  isAlone?: boolean;
  /** It was ordered a moment ago on this page. */
  isNew?: boolean;
}

/** Account, amount and reference, each to be copied, and the code that a bank's app reads. */
export function TransferPanel({ transfer, texts, isAlone = false, isNew = false }: TransferPanelProps) {
  const { money, date } = useLocale();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);
  const { iban, bic, holder, reference, instructions, code } = transfer;
  const amount = money(transfer.amount, transfer);
  const Heading = isAlone ? 'h1' : 'h2';
  return (
    <section class="transfer">
      <div class="transfer-head">
        <Heading ref={heading} tabIndex={-1}>
          {fillText(texts.title, { amount })}
        </Heading>
        <p>{fillText(texts.text, { date: date(transfer.dueAt) })}</p>
      </div>
      {instructions && <p class="transfer-words">{instructions}</p>}
      <dl class="transfer-facts">
        <CopiedFact
          texts={texts}
          name={texts.amount}
          shown={amount}
          value={toDecimalString(transfer.amount, transfer.currencyDecimals)}
        />
        {holder && <CopiedFact texts={texts} name={texts.holder} shown={holder} value={holder} />}
        {iban && <CopiedFact texts={texts} name={texts.iban} shown={toGroups(iban)} value={iban} isCode />}
        {bic && <CopiedFact texts={texts} name={texts.bic} shown={bic} value={bic} isCode />}
        <CopiedFact texts={texts} name={texts.reference} shown={reference} value={reference} isCode />
      </dl>
      <p class="hint">{texts.referenceHint}</p>
      {code && (
        <figure class="transfer-code">
          <TransferCode text={code} label={texts.codeLabel} />
          <figcaption>{texts.code}</figcaption>
        </figure>
      )}
    </section>
  );
}

interface CopiedFactProps {
  texts: TransferTexts;
  name: string;
  shown: string;
  value: string;
  isCode?: boolean;
}

function CopiedFact({ texts, name, shown, value, isCode = false }: CopiedFactProps) {
  const { t } = useLocale();
  const { isCopied, copy } = useCopied(value);
  return (
    <div>
      <dt>{name}</dt>
      <dd class={isCode ? 'mono' : undefined}>{shown}</dd>
      <dd class="transfer-copy">
        <button
          type="button"
          class="secondary"
          aria-label={fillText(texts.copyLabel, { name })}
          onClick={copy}
        >
          {isCopied ? t('receipt.copied') : texts.copy}
        </button>
        <span class="sr-only" aria-live="polite">
          {isCopied ? t('receipt.copied') : ''}
        </span>
      </dd>
    </div>
  );
}

/** Dark on light in every theme, or cameras miss it. */
function TransferCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} shape-rendering="crispEdges" />
    </svg>
  );
}

/** An IBAN as people read it. */
const toGroups = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ');
