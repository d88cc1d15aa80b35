import { Link } from 'wouter';
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { useOwnWorkspace } from '../settings/use-own-workspace.ts';
import { Amount, Stamp, Time } from '../ui/cells.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { useLocale } from '../ui/locale.tsx';
import { CopyableId, Detail, Fact, Facts, Part, Read } from './detail.tsx';
import { DialogButton } from './dialog-button.tsx';
import { useTools } from './tools.ts';

export function Customer({ id }: { id: string }) {
  const path = `/v0/users/${encodeURIComponent(id)}`;
  return <Read path={path} show={(data) => <Shown path={path} data={data} />} />;
}

/** Who has not asked on a page of ours may have asked by letter. */
function DeletionButton({ user, deletion }: { user: Row; deletion: Row | null }) {
  const isAsked = deletion !== null;
  if (isAsked && textOf(deletion, 'status') !== 'requested') return null;
  return (
    <DialogButton
      dialog={isAsked ? 'accept-deletion' : 'delete-customer'}
      row={user}
      label={isAsked ? 'action.acceptDeletion' : 'action.deleteCustomer'}
      area="users"
      isDanger
    />
  );
}

function Shown({ path, data }: { path: string; data: Row }) {
  const { t } = useLocale();
  const tools = useTools();
  const user = rowOf(data, 'user') ?? data;
  const deletion = rowOf(data, 'deletion');
  const id = textOf(user, 'id');
  const isArchived = numberOf(user, 'archivedAt') !== null;
  const { may } = useStore();
  return (
    <Detail
      title={textOf(user, 'email')}
      path={path}
      data={data}
      timeline={{ object: 'users', id }}
      status={isArchived ? <Stamp status="archived" tools={tools} /> : null}
      stub={<CustomerStub user={user} methods={rowsOf(data, 'paymentMethods')} deletion={deletion} />}
      actions={
        <>
          <DialogButton dialog="edit-customer" row={user} label="action.correctEmail" area="users" />
          {may('users', 'write') ? (
            <DialogButton dialog="export-user" row={user} label="export.user" area="exports" />
          ) : null}
          {isArchived ? (
            <DialogButton dialog="unarchive-customer" row={user} label="action.unarchive" area="users" />
          ) : (
            <>
              <PortalButtons user={user} />
              <DialogButton
                dialog="archive-customer"
                row={user}
                label="action.archive"
                area="users"
                isDanger
              />
            </>
          )}
          <DeletionButton user={user} deletion={deletion} />
        </>
      }
      overview={
        <>
          <Rows
            id={id}
            area="orders"
            path="/v0/orders/list"
            rowsIn="orders"
            title={t('list.orders')}
            hrefOf={(row) => `/orders/${textOf(row, 'number')}`}
          />
          <Rows
            id={id}
            area="subscriptions"
            path="/v0/subscriptions/list"
            rowsIn="subscriptions"
            title={t('list.subscriptions')}
            hrefOf={(row) => `/subscriptions/${textOf(row, 'id')}`}
          />
          <Inventory id={id} />
          <Mails email={textOf(user, 'email')} />
        </>
      }
    />
  );
}

/** The customer's own way in: mailed to them, or shown to whoever hands it on. */
function PortalButtons({ user }: { user: Row }) {
  const { isTest } = useStore();
  const { own } = useOwnWorkspace();
  if (!own || textOf(user, 'email') === '') return null;
  const row = { ...user, store: textOf(own, 'portalSlug'), testMode: isTest };
  return (
    <>
      <DialogButton
        dialog="send-portal-link"
        row={row}
        label="action.sendPortalLink"
        area="portal-sessions"
      />
      <DialogButton
        dialog="copy-portal-link"
        row={row}
        label="action.copyPortalLink"
        area="portal-sessions"
      />
    </>
  );
}

interface StubProps {
  user: Row;
  methods: readonly Row[];
  deletion: Row | null;
}

function CustomerStub({ user, methods, deletion }: StubProps) {
  const { t, countryName, tName } = useLocale();
  const tools = useTools();
  const details = rowOf(user, 'details');
  const address = ['address', 'addressLine2', 'postalCode', 'city', 'state']
    .map((part) => textOf(details, part))
    .filter(Boolean);
  return (
    <Facts>
      <Fact name={t('column.name')}>
        {`${textOf(details, 'firstName')} ${textOf(details, 'lastName')}`.trim() || textOf(user, 'username')}
      </Fact>
      <Fact name={t('column.company')}>{textOf(details, 'companyName')}</Fact>
      <Fact name={t('column.address')}>{address.join(', ')}</Fact>
      <Fact name={t('column.country')}>
        {textOf(details, 'countryCode') ? countryName(textOf(details, 'countryCode')) : null}
      </Fact>
      <Fact name={t('column.taxNumber')}>{textOf(details, 'taxNumber')}</Fact>
      <Fact name={t('column.method')}>
        {methods
          .map(
            (one) =>
              `${tName('brand.', textOf(one, 'brand') || textOf(one, 'type'))} ${textOf(one, 'last4')}`,
          )
          .join(', ')}
      </Fact>
      <Fact name={t('customer.deletion')}>
        {deletion ? (
          <>
            {tName('deletion.', textOf(deletion, 'status'))},{' '}
            <Time ms={numberOf(deletion, 'dueAt')} tools={tools} isDay />
          </>
        ) : null}
      </Fact>
      <Fact name={t('column.internalId')}>{textOf(user, 'internalId')}</Fact>
      <Fact name={t('column.created')}>
        <Time ms={numberOf(user, 'createdAt')} tools={tools} />
      </Fact>
      <Fact name={t('column.id')}>
        <CopyableId id={textOf(user, 'id')} />
      </Fact>
    </Facts>
  );
}

interface RowsProps {
  id: string;
  area: string;
  path: string;
  rowsIn: string;
  title: string;
  hrefOf: (row: Row) => string;
}

function Rows({ id, area, path, rowsIn, title, hrefOf }: RowsProps) {
  const { t } = useLocale();
  const tools = useTools();
  const { may } = useStore();
  const read = useRead<Row>(path, { query: `userId=${id}&take=10`, enabled: may(area) });
  if (!may(area)) return null;
  return (
    <Part id={`of-${rowsIn}`} title={title} aside={<Link href={`/${rowsIn}?userId=${id}`}>{t('all')}</Link>}>
      <Loaded read={read}>
        {(data) => (
          <>
            {rowsOf(data, rowsIn).length === 0 ? <p className="soft">{t('none')}</p> : null}
            <ul className="row-list">
              {rowsOf(data, rowsIn).map((row) => (
                <li key={textOf(row, 'id')}>
                  <Stamp status={textOf(row, 'status')} tools={tools} />
                  <Link href={hrefOf(row)} className="code-text">
                    {textOf(row, 'number') || textOf(row, 'id')}
                  </Link>
                  <Amount minor={numberOf(row, 'value')} currency={textOf(row, 'currency')} tools={tools} />
                  <Time ms={numberOf(row, 'createdAt')} tools={tools} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Part>
  );
}

function Inventory({ id }: { id: string }) {
  const { t } = useLocale();
  const read = useRead<{ inventory: Row[] }>(`/v0/users/${id}/inventory`);
  const items = read.data?.inventory ?? [];
  if (items.length === 0 && !read.isError) return null;
  return (
    <Part id="inventory" title={t('customer.inventory')}>
      {read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
      <ul className="row-list">
        {items.map((item) => (
          <li key={textOf(item, 'id')}>
            <strong>{textOf(item, 'name')}</strong>
            <span className="soft">{textOf(rowOf(item, 'product'), 'name')}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Mails({ email }: { email: string }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  const { may } = useStore();
  const query = new URLSearchParams({ recipient: email, take: '10' }).toString();
  const read = useRead<{ mails: Row[] }>('/v0/mails/list', { query, enabled: may('mails') });
  const mails = read.data?.mails ?? [];
  if (mails.length === 0 && !read.isError) return null;
  return (
    <Part id="mails" title={t('list.mail')}>
      {read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
      <ul className="row-list">
        {mails.map((mail) => (
          <li key={textOf(mail, 'id')}>
            <span>{tName('mailStatus.', textOf(mail, 'status'))}</span>
            <Link href={`/mail/${textOf(mail, 'id')}`}>{textOf(mail, 'subject')}</Link>
            <Time ms={numberOf(mail, 'createdAt')} tools={tools} />
          </li>
        ))}
      </ul>
    </Part>
  );
}
