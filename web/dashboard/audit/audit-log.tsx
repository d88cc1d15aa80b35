/** Who did what to which object, in words; the whole record is there for whoever wants it. */

import { type Row, textOf } from '../api/objects.ts';
import { Actor } from '../app/actor.tsx';
import { PlaceLink } from '../app/place-link.tsx';
import { useStore } from '../app/store.tsx';
import { useTools } from '../details/tools.ts';
import { nameExport } from '../exports/name-export.ts';
import { created } from '../lists/created.ts';
import { ListScreen } from '../lists/list-screen.tsx';
import type { ListDeclaration } from '../lists/types.ts';
import { Nothing, timeColumn } from '../ui/cells.tsx';
import { useLocale, useRoom } from '../ui/locale.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { readRecord, writeRecorded } from './changes.ts';
import { OPERATIONS } from './operations.ts';
import { nameField, nameOperation, partsOf } from './words.ts';

const auditLog: ListDeclaration = {
  name: 'audit-log',
  resource: 'audit-log',
  object: 'audit_entry',
  area: 'audit-log',
  operation: '/v0/audit-log/list',
  rowsIn: 'auditEntries',
  search: 'term',
  columns: [
    timeColumn('createdAt', 'column.time'),
    {
      id: 'actor',
      label: 'column.who',
      draw: (row) => (
        <>
          <Actor actor={textOf(row, 'actor')} />
          {/* The assistant or program that asked by this pair, as it calls itself. */}
          {textOf(row, 'client') === '' ? null : <span className="soft"> {textOf(row, 'client')}</span>}
        </>
      ),
    },
    { id: 'operation', label: 'column.operation', draw: (row) => <Operation row={row} /> },
    { id: 'objectId', label: 'column.object', draw: (row) => <Subject row={row} /> },
    { id: 'change', label: 'column.change', draw: (row) => <Change row={row} /> },
  ],
  filters: [
    { parameter: 'actor', label: 'column.who', kind: 'text' },
    {
      parameter: 'operation',
      label: 'column.operation',
      kind: 'pick',
      options: OPERATIONS,
      nameOf: nameOperation,
    },
    { parameter: 'objectId', label: 'column.object', kind: 'text' },
    { parameter: 'requestId', label: 'column.requestId', kind: 'text' },
    ...created,
  ],
  nameOf: (row) => `${textOf(row, 'operation')} ${textOf(row, 'id').slice(-6)}`,
};

export default function AuditLog() {
  return useRoom('audit') ? <ListScreen declaration={auditLog} /> : <Waiting />;
}

/** In words; its name in the API is what the filter takes. */
function Operation({ row }: { row: Row }) {
  const { locale } = useTools();
  const mode = textOf(row, 'mode');
  return (
    <>
      <span title={textOf(row, 'operation')}>{nameOperation(textOf(row, 'operation'), locale)}</span>
      {mode === 'live' || mode === 'test' ? <span className="soft"> {locale.t(`audit.${mode}`)}</span> : null}
    </>
  );
}

/** Where an object has its page, by what the operation calls it. */
const PAGES: Readonly<Record<string, string>> = {
  Order: '/orders',
  OrderKeys: '/orders',
  TestPurchase: '/orders',
  Payment: '/orders/payments',
  Withdrawal: '/orders/withdrawals',
  CancellationNotice: '/orders/cancellation-notices',
  Subscription: '/subscriptions',
  User: '/customers',
  UserDeletion: '/customers',
  Product: '/catalogue/products',
  CheckoutElement: '/catalogue/checkouts',
  Mail: '/mail',
  Processor: '/settings/payments',
  Import: '/settings/imports',
  Webhook: '/developers/webhooks',
  WebhookSecret: '/developers/webhooks',
  Event: '/developers/events',
};

/** There is one in a store: its id says nothing to anybody. */
const CLOCK = 'TestClock';

function Subject({ row }: { row: Row }) {
  const { store, workspace } = useStore();
  const locale = useLocale();
  const id = textOf(row, 'objectId');
  if (id === '') return <Nothing />;
  // What somebody did to their own account, or to the whole workspace.
  if (textOf(row, 'actor') === `account:${id}`) return <Actor actor={`account:${id}`} />;
  if (id === workspace.id) return <span className="cut">{workspace.name}</span>;
  const { noun } = partsOf(textOf(row, 'operation'));
  if (noun === CLOCK) return <span title={id}>{locale.tName('auditNoun.', noun)}</span>;
  const page = PAGES[noun];
  const record = readRecord(row);
  if (page === undefined && record.customerId !== '' && textOf(row, 'mode') === store.mode) {
    return (
      <PlaceLink href={`/customers/${encodeURIComponent(record.customerId)}`} title={id}>
        {locale.t('column.customer')}
      </PlaceLink>
    );
  }
  const name = (record.exported && nameExport(record.exported, locale)) || record.name || id;
  const text = <span className={name === id ? 'code-text' : 'cut'}>{name}</span>;
  return page !== undefined && textOf(row, 'mode') === store.mode ? (
    <PlaceLink href={`${page}/${encodeURIComponent(id)}`} title={id}>
      {text}
    </PlaceLink>
  ) : (
    <span title={id}>{text}</span>
  );
}

const SHOWN = 5;

function Change({ row }: { row: Row }) {
  const { locale, zone } = useTools();
  const { t, tName } = locale;
  const { changed, currency } = readRecord(row);
  const tools = { ...locale, time: (ms: number) => locale.time(ms, zone) };
  const write = (value: unknown, path: string) => writeRecorded(value, path, currency, tools);
  return (
    <div className="audit-change">
      {changed.length > 0 ? (
        <ul>
          {changed.slice(0, SHOWN).map(({ path, before, after }) => (
            <li key={path}>
              {nameField(path, { tName })}: {before === undefined ? null : <>{write(before, path)} → </>}
              <strong>{write(after, path)}</strong>
            </li>
          ))}
        </ul>
      ) : null}
      {changed.length > SHOWN ? (
        <p className="soft">{t('audit.more', { count: changed.length - SHOWN })}</p>
      ) : null}
      <details>
        <summary>{t('audit.whole')}</summary>
        <pre className="code">{JSON.stringify({ before: row.before, after: row.after }, null, 2)}</pre>
      </details>
    </div>
  );
}
