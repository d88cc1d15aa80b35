/** What cells of lists and facts of details are drawn with. */
import type { ReactNode } from 'react';
import { LONG_AMOUNT } from '../../ui/money.ts';
import type { Row } from '../api/objects.ts';
import { numberOf, rowOf, textOf } from '../api/objects.ts';
import type { CellTools, Column } from '../lists/types.ts';
import type { TextKey } from './texts.ts';

const TONES: Record<string, string> = {
  good: 'PAID COMPLETED ACTIVE active succeeded ok sent delivered won settled issued valid refunded_won ready done accepted committed',
  warn: 'PENDING PROCESSING pending past_due trialing paused UNPAID unpaid incomplete waiting due failing inactive processing kept parked received warned PARTIALLY_REFUNDED open needs_response under_review held queued unmatched planned planning committing',
  bad: 'FAILED failed CANCELED CANCELLED canceled cancelled CHARGEBACK DISPUTED disputed lost blocked disabled expired refused suspended EXPIRED revoked invalid',
};

function toneOf(status: string): string {
  for (const [tone, names] of Object.entries(TONES)) if (names.split(' ').includes(status)) return tone;
  return 'plain';
}

/** A status as a stamp on the paper. */
export function Stamp({
  status,
  tools,
  names = 'status.',
}: {
  status: string;
  tools: CellTools;
  names?: string;
}) {
  if (status === '') return <Nothing />;
  return (
    <span className="stamp" data-tone={toneOf(status)}>
      {tools.locale.tName(names, status)}
    </span>
  );
}

export function Nothing() {
  return (
    <span className="soft" aria-hidden="true">
      –
    </span>
  );
}

export function Amount({
  minor,
  currency,
  decimals,
  tools,
}: {
  minor: number | null;
  currency: string;
  decimals?: number | null;
  tools: CellTools;
}) {
  if (minor === null || currency === '') return <Nothing />;
  const text = tools.locale.money(minor, currency, decimals);
  return (
    <span className="amount" data-long={text.length > LONG_AMOUNT}>
      {text}
    </span>
  );
}

export function Time({ ms, tools, isDay = false }: { ms: number | null; tools: CellTools; isDay?: boolean }) {
  if (ms === null) return <Nothing />;
  const { locale, zone } = tools;
  const utc = new Date(ms).toISOString();
  return (
    <time dateTime={utc} title={utc}>
      {isDay ? locale.day(ms, zone) : locale.time(ms, zone)}
    </time>
  );
}

type Draw = Column['draw'];

/** Columns by what they show; `path` may go one level down: `user.id`. */
const read = (row: Row, path: string): unknown => {
  const [first = '', second] = path.split('.');
  return second === undefined ? row[first] : rowOf(row, first)?.[second];
};

const column = (id: string, label: TextKey, draw: Draw, rest: Partial<Column> = {}): Column => ({
  id,
  label,
  draw,
  ...rest,
});

export const textColumn = (id: string, label: TextKey, rest: Partial<Column> = {}): Column =>
  column(id, label, (row) => toText(read(row, id)), rest);

function toText(value: unknown): ReactNode {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.length > 0) return value.map(String).join(', ');
  return <Nothing />;
}

/** What may be long, and must not push the other columns out of sight: it is whole on the row's own page. */
export const cutColumn = (id: string, label: TextKey): Column =>
  column(id, label, (row) => {
    const text = read(row, id);
    return typeof text === 'string' && text !== '' ? (
      <span className="cut wide" title={text}>
        {text}
      </span>
    ) : (
      <Nothing />
    );
  });

export const numberColumn = (id: string, label: TextKey, rest: Partial<Column> = {}): Column =>
  column(
    id,
    label,
    (row, { locale }) => {
      const value = read(row, id);
      return typeof value === 'number' ? <span className="amount">{locale.number(value)}</span> : <Nothing />;
    },
    { isEnd: true, ...rest },
  );

/** Bytes as people name them; the exact number stands beside it on hover. */
export const sizeColumn = (id: string, label: TextKey): Column =>
  column(
    id,
    label,
    (row, { locale }) => {
      const bytes = numberOf(row, id);
      if (bytes === null) return <Nothing />;
      return (
        <span className="amount" title={locale.number(bytes)}>
          {locale.fileSize(bytes)}
        </span>
      );
    },
    { isEnd: true },
  );

export const codeColumn = (id: string, label: TextKey, rest: Partial<Column> = {}): Column =>
  column(id, label, (row) => <span className="code-text">{toText(read(row, id))}</span>, rest);

export const statusColumn = (id = 'status', label: TextKey = 'column.status', names?: string): Column =>
  column(id, label, (row, tools) => (
    <Stamp status={String(read(row, id) ?? '')} tools={tools} names={names} />
  ));

/** What is archived says so, whatever it was before. */
export const statusOrArchived = (isArchived: (row: Row) => boolean, names?: string): Column =>
  column('status', 'column.status', (row, tools) => (
    <Stamp status={isArchived(row) ? 'archived' : textOf(row, 'status')} tools={tools} names={names} />
  ));

export const nameColumn = (id: string, label: TextKey, names: string, rest: Partial<Column> = {}): Column =>
  column(
    id,
    label,
    (row, { locale }) => {
      const value = read(row, id);
      return typeof value === 'string' && value !== '' ? locale.tName(names, value) : <Nothing />;
    },
    rest,
  );

export const moneyColumn = (id: string, label: TextKey, rest: Partial<Column> = {}): Column =>
  column(
    id,
    label,
    (row, tools) => (
      <Amount
        minor={numberOf(row, id)}
        currency={textOf(row, 'currency')}
        decimals={numberOf(row, 'currencyDecimals')}
        tools={tools}
      />
    ),
    { isEnd: true, ...rest },
  );

/** An entry of the books stands on one side: the other is empty. */
export const sideColumn = (id: string, label: TextKey): Column => {
  const written = moneyColumn(id, label);
  return { ...written, draw: (row, tools) => (numberOf(row, id) === 0 ? null : written.draw(row, tools)) };
};

export const timeColumn = (id: string, label: TextKey, rest: Partial<Column> = {}): Column =>
  column(id, label, (row, tools) => <Time ms={numberOf(row, id)} tools={tools} />, rest);

export const dayColumn = (id: string, label: TextKey, rest: Partial<Column> = {}): Column =>
  column(id, label, (row, tools) => <Time ms={numberOf(row, id)} tools={tools} isDay />, rest);

export const countryColumn = (id: string, label: TextKey, rest: Partial<Column> = {}): Column =>
  column(
    id,
    label,
    (row, { locale }) => {
      const code = String(read(row, id) ?? '');
      return code === '' ? (
        <Nothing />
      ) : (
        <span className="cut" title={code}>
          {locale.countryName(code)}
        </span>
      );
    },
    rest,
  );
