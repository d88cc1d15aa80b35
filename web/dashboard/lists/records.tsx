/** Developers, team: what was written down. */
import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { mayTouch } from '../forms/scopes.ts';
import { toLoggedCurl } from '../ui/api-call.ts';
import {
  codeColumn,
  cutColumn,
  Nothing,
  nameColumn,
  numberColumn,
  statusColumn,
  statusOrArchived,
  timeColumn,
} from '../ui/cells.tsx';
import { created } from './created.ts';
import { KeyName } from './key-name.tsx';
import type { ListDeclaration } from './types.ts';

export const EVENT_TYPES = [
  'payment_success',
  'payment_refunded',
  'payment_failed',
  'subscription_created',
  'subscription_interval',
  'subscription_updated',
  'subscription_cancelled',
] as const;

/** One that is over is made anew. */
const isLiving = (row: Row) =>
  numberOf(row, 'revokedAt') === null && (numberOf(row, 'expiresAt') ?? Infinity) > Date.now();

export const apiKeys: ListDeclaration = {
  name: 'api-keys',
  resource: 'api-keys',
  object: 'api_key',
  area: 'api-keys',
  operation: '/v0/api-keys/list',
  rowsIn: 'apiKeys',
  search: 'term',
  columns: [
    cutColumn('name', 'column.name'),
    {
      id: 'last4',
      label: 'column.last4',
      draw: (row) => <span className="code-text">••••{textOf(row, 'secretLast4')}</span>,
    },
    {
      id: 'scopes',
      label: 'column.scopes',
      draw: (row, { locale }) =>
        Array.isArray(row.scopes) ? (
          <span className="cut">{row.scopes.map(String).join(', ') || locale.t('none')}</span>
        ) : (
          locale.t('keys.unscoped')
        ),
    },
    timeColumn('lastUsedAt', 'column.lastUsed'),
    timeColumn('expiresAt', 'column.expires'),
    timeColumn('createdAt', 'column.created', { isExtra: true }),
  ],
  filters: [],
  actions: [
    {
      id: 'edit',
      label: 'action.edit',
      area: 'api-keys',
      dialog: 'edit-key',
      fits: (row, by) => isLiving(row) && mayTouch(row.scopes, by),
    },
    {
      id: 'roll',
      label: 'action.roll',
      area: 'api-keys',
      dialog: 'roll-key',
      fits: (row, by) => isLiving(row) && mayTouch(row.scopes, by),
    },
    {
      id: 'revoke',
      label: 'action.revoke',
      area: 'api-keys',
      isDanger: true,
      dialog: 'revoke-key',
      fits: (row) => numberOf(row, 'revokedAt') === null,
    },
  ],
  create: { label: 'form.createKeyPair', area: 'api-keys', form: 'key-pair' },
  nameOf: (row) => textOf(row, 'name'),
};

/** Archived ones are kept for their deliveries. */
const isDeleted = (row: Row) => numberOf(row, 'deletedAt') !== null;

export const webhooks: ListDeclaration = {
  name: 'webhooks',
  resource: 'webhooks',
  object: 'webhook',
  area: 'webhooks',
  operation: '/v0/webhooks/list',
  rowsIn: 'webhooks',
  search: 'term',
  columns: [
    {
      id: 'url',
      label: 'column.url',
      draw: (row) => <span className="code-text cut wide">{textOf(row, 'url')}</span>,
    },
    statusColumn('health', 'column.health', 'health.'),
    statusOrArchived(isDeleted),
    {
      id: 'events',
      label: 'column.events',
      isEnd: true,
      draw: (row) => <span className="amount">{Array.isArray(row.events) ? row.events.length : 0}</span>,
    },
    timeColumn('lastSuccessAt', 'column.lastSuccess'),
  ],
  filters: [
    {
      parameter: 'statuses',
      label: 'column.status',
      kind: 'choices',
      options: ['active', 'inactive', 'archived'],
      names: 'status.',
    },
    {
      parameter: 'health',
      label: 'column.health',
      kind: 'choices',
      options: ['ok', 'failing', 'blocked', 'disabled'],
      names: 'health.',
    },
  ],
  actions: [
    {
      id: 'off',
      label: 'action.switchOff',
      area: 'webhooks',
      fits: (row) => textOf(row, 'status') === 'active' && !isDeleted(row),
      call: (row) => ({
        method: 'PATCH',
        path: `/v0/webhooks/${textOf(row, 'id')}/update`,
        body: { status: 'inactive' },
      }),
      undo: (row) => ({
        method: 'PATCH',
        path: `/v0/webhooks/${textOf(row, 'id')}/update`,
        body: { status: 'active' },
      }),
    },
    {
      id: 'on',
      label: 'action.switchOn',
      area: 'webhooks',
      fits: (row) => textOf(row, 'status') === 'inactive' && !isDeleted(row),
      call: (row) => ({
        method: 'PATCH',
        path: `/v0/webhooks/${textOf(row, 'id')}/update`,
        body: { status: 'active' },
      }),
    },
    {
      id: 'archive',
      label: 'action.archive',
      area: 'webhooks',
      isDanger: true,
      fits: (row) => !isDeleted(row),
      call: (row) => ({ method: 'PATCH', path: `/v0/webhooks/${textOf(row, 'id')}/archive` }),
      undo: (row) => ({ method: 'PATCH', path: `/v0/webhooks/${textOf(row, 'id')}/unarchive` }),
    },
    {
      id: 'unarchive',
      label: 'action.unarchive',
      area: 'webhooks',
      fits: isDeleted,
      call: (row) => ({ method: 'PATCH', path: `/v0/webhooks/${textOf(row, 'id')}/unarchive` }),
    },
  ],
  create: { label: 'form.createWebhook', area: 'webhooks', form: 'webhook' },
  nameOf: (row) => textOf(row, 'url'),
  hrefOf: (row) => `/developers/webhooks/${textOf(row, 'id')}`,
};

export const events: ListDeclaration = {
  name: 'events',
  resource: 'events',
  object: 'event',
  area: 'events',
  operation: '/v0/events/list',
  rowsIn: 'events',
  search: 'term',
  columns: [
    codeColumn('type', 'column.type'),
    {
      id: 'object',
      label: 'column.object',
      draw: (row) => {
        const data = rowOf(row, 'data');
        const number = textOf(rowOf(data, 'order'), 'number') || textOf(rowOf(data, 'subscription'), 'id');
        return number === '' ? <Nothing /> : <span className="code-text">{number}</span>;
      },
    },
    {
      id: 'deliveries',
      label: 'column.deliveries',
      draw: (row, { locale }) => {
        const counts = rowOf(row, 'deliveryCounts');
        if (!counts) return <Nothing />;
        const told = Object.entries(counts).filter(([, count]) => Number(count) > 0);
        if (told.length === 0) return <Nothing />;
        return told.map(([name, count]) => `${locale.tName('delivery.', name)} ${String(count)}`).join(', ');
      },
    },
    timeColumn('createdAt', 'column.created'),
  ],
  filters: [
    { parameter: 'types', label: 'column.type', kind: 'choices', options: EVENT_TYPES, names: 'event.' },
    { parameter: 'orderId', label: 'column.order', kind: 'text' },
    { parameter: 'subscriptionId', label: 'filter.subscriptionId', kind: 'text' },
    ...created,
  ],
  actions: [
    {
      id: 'resend',
      label: 'action.resend',
      area: 'events',
      call: (row) => ({ method: 'POST', path: `/v0/events/${textOf(row, 'id')}/resend` }),
    },
  ],
  nameOf: (row) => `${textOf(row, 'type')} ${textOf(row, 'id').slice(-6)}`,
  hrefOf: (row) => `/developers/events/${textOf(row, 'id')}`,
};

export const requests: ListDeclaration = {
  name: 'requests',
  resource: 'requests',
  object: 'request',
  area: 'request-log',
  operation: '/v0/request-log/list',
  rowsIn: 'requests',
  search: 'term',
  columns: [
    codeColumn('method', 'column.method'),
    codeColumn('path', 'column.path'),
    numberColumn('status', 'column.status'),
    {
      id: 'keyId',
      label: 'column.key',
      draw: (row) => (textOf(row, 'keyId') ? <KeyName id={textOf(row, 'keyId')} /> : <Nothing />),
    },
    numberColumn('durationMs', 'column.ms'),
    codeColumn('requestId', 'column.requestId', { isExtra: true }),
    {
      id: 'detail',
      label: 'column.request',
      draw: ({ operation, code, actor, address, query, requestBody, responseBody }) => (
        <details>
          <summary>JSON</summary>
          <pre className="code">
            {JSON.stringify({ operation, code, actor, address, query, requestBody, responseBody }, null, 2)}
          </pre>
        </details>
      ),
    },
    timeColumn('createdAt', 'column.created'),
  ],
  filters: [
    {
      parameter: 'method',
      label: 'column.method',
      kind: 'choice',
      options: ['GET', 'POST', 'PATCH', 'DELETE'],
    },
    { parameter: 'status', label: 'column.status', kind: 'text' },
    { parameter: 'keyId', label: 'column.key', kind: 'text' },
    { parameter: 'requestId', label: 'column.requestId', kind: 'text' },
    ...created,
  ],
  actions: [
    {
      id: 'copy',
      label: 'failure.copyRequestId',
      area: 'request-log',
      copies: (row) => textOf(row, 'requestId'),
    },
    { id: 'curl', label: 'copy.curl', area: 'request-log', copies: toLoggedCurl },
  ],
  idOf: (row) => textOf(row, 'id') || textOf(row, 'requestId'),
  nameOf: (row) => textOf(row, 'requestId'),
};

export const team: ListDeclaration = {
  name: 'team',
  resource: 'members',
  object: 'member',
  area: 'members',
  operation: '/v0/members/list',
  rowsIn: 'members',
  search: 'term',
  columns: [
    { id: 'name', label: 'column.name', draw: (row) => textOf(row, 'name') || textOf(row, 'email') },
    cutColumn('email', 'column.email'),
    nameColumn('role', 'column.role', 'role.'),
    timeColumn('lastSeenAt', 'column.lastSeen'),
    {
      id: 'factor',
      label: 'column.factor',
      draw: (row, { locale }) => locale.t(row.hasSecondFactor === true ? 'yes' : 'no'),
    },
  ],
  filters: [],
  actions: [
    {
      id: 'edit',
      label: 'action.edit',
      area: 'members',
      dialog: 'edit-member',
      fits: (row) => textOf(row, 'role') !== 'owner',
    },
    {
      id: 'remove',
      label: 'action.remove',
      area: 'members',
      isDanger: true,
      dialog: 'remove-member',
      fits: (row) => textOf(row, 'role') !== 'owner',
    },
  ],
  create: { label: 'form.inviteMember', area: 'members', form: 'invitation' },
  nameOf: (row) => textOf(row, 'email'),
};
