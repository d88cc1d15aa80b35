/** Subscriptions, customers, mail. */
import { numberOf, rowsOf, textOf } from '../api/objects.ts';
import {
  Amount,
  codeColumn,
  countryColumn,
  cutColumn,
  dayColumn,
  Nothing,
  nameColumn,
  numberColumn,
  statusColumn,
  Time,
  timeColumn,
} from '../ui/cells.tsx';
import { created } from './created.ts';
import { isResendable, MAIL_KINDS } from './mail-kinds.ts';
import { canAct, paysNext } from './subscription-acts.ts';
import type { ListDeclaration } from './types.ts';

export const subscriptions: ListDeclaration = {
  name: 'subscriptions',
  resource: 'subscriptions',
  object: 'subscription',
  area: 'subscriptions',
  operation: '/v0/subscriptions/list',
  rowsIn: 'subscriptions',
  search: 'term',
  columns: [
    codeColumn('id', 'column.id'),
    statusColumn(),
    {
      id: 'userEmail',
      label: 'column.customer',
      draw: (row) =>
        textOf(row, 'userEmail') ? <span className="cut">{textOf(row, 'userEmail')}</span> : <Nothing />,
    },
    {
      id: 'plan',
      label: 'column.plan',
      draw: (row) => (
        <span className="cut">
          {rowsOf(row, 'items')
            .map((item) => textOf(item, 'name'))
            .join(', ')}
        </span>
      ),
    },
    {
      id: 'value',
      label: 'column.value',
      isEnd: true,
      draw: (row, tools) => (
        <span className="nowrap">
          <Amount minor={Number(row.value)} currency={textOf(row, 'currency')} tools={tools} />{' '}
          <span className="soft">{tools.locale.tName('per.', textOf(row, 'recurringInterval'))}</span>
        </span>
      ),
    },
    {
      id: 'currentIntervalEnd',
      label: 'column.nextPayment',
      draw: (row, tools) => (
        <Time ms={paysNext(row) ? numberOf(row, 'currentIntervalEnd') : null} tools={tools} isDay />
      ),
    },
    dayColumn('createdAt', 'column.started'),
    nameColumn('cancelReason', 'column.reason', 'reason.', { isExtra: true }),
  ],
  filters: [
    {
      parameter: 'statuses',
      label: 'column.status',
      kind: 'choices',
      options: [
        'active',
        'trialing',
        'past_due',
        'paused',
        'unpaid',
        'canceled',
        'incomplete',
        'incomplete_expired',
      ],
      names: 'status.',
    },
    { parameter: 'productIds', label: 'filter.productIds', kind: 'text' },
    { parameter: 'offerIds', label: 'filter.offerIds', kind: 'text' },
    { parameter: 'renewsFrom', label: 'filter.renewsFrom', kind: 'day' },
    { parameter: 'renewsTo', label: 'filter.renewsTo', kind: 'dayEnd' },
    { parameter: 'cancelAtIntervalEnd', label: 'filter.cancelAtIntervalEnd', kind: 'yes' },
    ...created,
    { parameter: 'userId', label: 'filter.userId', kind: 'text' },
    {
      parameter: 'orderBy',
      label: 'filter.orderBy',
      kind: 'choice',
      options: ['createdAt', 'currentIntervalEnd', 'value'],
      names: 'orderBy.',
    },
  ],
  actions: [
    {
      id: 'open-cancel',
      label: 'action.cancelSubscription',
      area: 'subscriptions',
      isDanger: true,
      dialog: 'cancel-subscription',
      fits: (row) => canAct('cancel', row),
    },
    {
      id: 'cancel-end',
      label: 'action.cancelAtEnd',
      area: 'subscriptions',
      fits: (row) => canAct('setEnd', row) && row.cancelAtIntervalEnd !== true,
      call: (row) => ({
        method: 'PATCH',
        path: `/v0/subscriptions/${textOf(row, 'id')}/cancel`,
        body: { cancelAtIntervalEnd: true },
      }),
      undo: (row) => ({
        method: 'PATCH',
        path: `/v0/subscriptions/${textOf(row, 'id')}/cancel`,
        body: { cancelAtIntervalEnd: false },
      }),
    },
    {
      id: 'pause',
      label: 'action.pause',
      area: 'subscriptions',
      dialog: 'pause-subscription',
      fits: (row) => canAct('pause', row),
    },
    {
      id: 'resume',
      label: 'action.resume',
      area: 'subscriptions',
      fits: (row) => canAct('resume', row),
      call: (row) => ({ method: 'PATCH', path: `/v0/subscriptions/${textOf(row, 'id')}/resume` }),
    },
  ],
  nameOf: (row) => textOf(row, 'id'),
  hrefOf: (row) => `/subscriptions/${textOf(row, 'id')}`,
};

export const customers: ListDeclaration = {
  name: 'customers',
  resource: 'users',
  object: 'user',
  area: 'users',
  operation: '/v0/users/list',
  rowsIn: 'users',
  search: 'term',
  columns: [
    cutColumn('email', 'column.email'),
    {
      id: 'name',
      label: 'column.name',
      draw: (row) => {
        const details = (row.details ?? {}) as Record<string, unknown>;
        const name =
          textOf(details, 'companyName') ||
          `${textOf(details, 'firstName')} ${textOf(details, 'lastName')}`.trim() ||
          textOf(row, 'username');
        return name === '' ? <Nothing /> : <Cut text={name} />;
      },
    },
    {
      id: 'internalId',
      label: 'column.internalId',
      draw: (row) => {
        const id = textOf(row, 'internalId');
        return id === '' ? <Nothing /> : <Cut text={id} />;
      },
    },
    countryColumn('details.countryCode', 'column.country'),
    {
      id: 'spent',
      label: 'column.spent',
      isEnd: true,
      draw: (row, tools) => (
        <Amount minor={numberOf(row, 'spent')} currency={tools.currency ?? ''} tools={tools} />
      ),
    },
    numberColumn('subscriptionCount', 'column.subscriptions'),
    timeColumn('createdAt', 'column.created'),
  ],
  filters: [
    { parameter: 'email', label: 'column.email', kind: 'text' },
    { parameter: 'countries', label: 'column.country', kind: 'country' },
    { parameter: 'hasSubscription', label: 'filter.hasSubscription', kind: 'yes' },
    {
      parameter: 'deletion',
      label: 'customer.deletion',
      kind: 'choice',
      options: ['requested', 'accepted'],
      names: 'deletion.',
    },
    { parameter: 'createdAfter', label: 'filter.createdFrom', kind: 'day' },
    { parameter: 'createdBefore', label: 'filter.createdTo', kind: 'dayEnd' },
    { parameter: 'archived', label: 'filter.archived', kind: 'yes' },
  ],
  actions: [
    {
      id: 'archive',
      label: 'action.archive',
      area: 'users',
      isDanger: true,
      fits: (row) => row.archivedAt === null,
      call: (row) => ({ method: 'PATCH', path: `/v0/users/${textOf(row, 'id')}/archive` }),
      undo: (row) => ({ method: 'PATCH', path: `/v0/users/${textOf(row, 'id')}/unarchive` }),
    },
    {
      id: 'unarchive',
      label: 'action.unarchive',
      area: 'users',
      fits: (row) => row.archivedAt !== null,
      call: (row) => ({ method: 'PATCH', path: `/v0/users/${textOf(row, 'id')}/unarchive` }),
    },
  ],
  create: { label: 'form.createCustomer', area: 'users', form: 'customer' },
  nameOf: (row) => textOf(row, 'email'),
  hrefOf: (row) => `/customers/${textOf(row, 'id')}`,
};

/** Of any length, and one of many in its row. */
const Cut = ({ text }: { text: string }) => (
  <span className="cut" title={text}>
    {text}
  </span>
);

export const mail: ListDeclaration = {
  name: 'mail',
  resource: 'mails',
  object: 'mail',
  area: 'mails',
  operation: '/v0/mails/list',
  rowsIn: 'mails',
  search: 'term',
  columns: [
    {
      id: 'subject',
      label: 'column.subject',
      // One that waits to be written has none yet.
      draw: (row, { locale }) => (
        <span className="cut wide">
          {textOf(row, 'subject') || locale.tName('mail.', textOf(row, 'kind'))}
        </span>
      ),
    },
    cutColumn('to', 'column.to'),
    nameColumn('kind', 'column.kind', 'mail.'),
    statusColumn('status', 'column.status', 'mailStatus.'),
    timeColumn('createdAt', 'column.created'),
  ],
  filters: [
    { parameter: 'kinds', label: 'column.kind', kind: 'choices', options: MAIL_KINDS, names: 'mail.' },
    {
      parameter: 'statuses',
      label: 'column.status',
      kind: 'choices',
      options: ['queued', 'sent', 'kept', 'failed', 'dropped'],
      names: 'mailStatus.',
    },
    { parameter: 'recipient', label: 'column.to', kind: 'text' },
    { parameter: 'orderId', label: 'column.order', kind: 'text' },
    ...created,
  ],
  actions: [
    {
      id: 'resend',
      label: 'action.resend',
      area: 'mails',
      fits: isResendable,
      call: (row) => ({ method: 'POST', path: `/v0/mails/${textOf(row, 'id')}/resend` }),
    },
  ],
  nameOf: (row) => textOf(row, 'subject') || textOf(row, 'to'),
  hrefOf: (row) => `/mail/${textOf(row, 'id')}`,
};
