import type { Field } from './types.ts';

/** The roles that an invitation can give; there is one Owner, who hands that over. */
export const ROLES = ['admin', 'manager', 'support', 'developer', 'custom'] as const;

/** What a Custom member can be given; members, workspace and audit log never are. */
export const CUSTOM_AREAS: readonly string[] = [
  'products',
  'offers',
  'offer-keys',
  'discounts',
  'elements',
  'custom-fields',
  'files',
  'orders',
  'payments',
  'refunds',
  'subscriptions',
  'users',
  'checkout-sessions',
  'portal-sessions',
  'withdrawals',
  'corrections',
  'charges',
  'processors',
  'imports',
  'invoices',
  'tax',
  'ledger',
  'reports',
  'exports',
  'mails',
  'webhooks',
  'events',
  'settings',
  'test-clock',
  'api-keys',
  'request-log',
];
/** What nobody writes. */
export const READ_ONLY_AREAS: readonly string[] = ['invoices', 'tax', 'ledger', 'reports', 'request-log'];

/** What is only ever written. */
const WRITE_ONLY_AREAS: readonly string[] = ['corrections', 'charges', 'store-export'];
const READ_ONLY_SCOPES: readonly string[] = [...READ_ONLY_AREAS, 'audit-log'];

/** All that a key pair can be narrowed to, in the API's words. */
export const SCOPES: readonly string[] = [
  ...CUSTOM_AREAS,
  'members',
  'workspace',
  'audit-log',
  'mcp',
  'store-export',
].flatMap((area) => [
  ...(WRITE_ONLY_AREAS.includes(area) ? [] : [`${area}:read`]),
  ...(READ_ONLY_SCOPES.includes(area) ? [] : [`${area}:write`]),
]);

/** What a member can be told of by mail. */
export const NOTIFICATIONS = [
  'disputes',
  'processors',
  'webhooks',
  'stock',
  'withdrawals',
  'workspace',
] as const;

/** What an invitation and an edit of a member ask alike. */
export const MEMBER_FIELDS: readonly Field[] = [
  { name: 'role', kind: 'choice', required: true, options: ROLES, names: 'role.', initial: 'support' },
  { name: 'permissions', kind: 'permissions', when: ({ role }) => role === 'custom' },
  {
    name: 'notifications',
    kind: 'many',
    options: NOTIFICATIONS,
    names: 'notification.',
    hint: 'team.notificationsHint',
  },
];
