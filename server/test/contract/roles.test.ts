/** What each role may do, operation by operation: the table of the documentation, against the description. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/domain/roles.ts';
import { type Browser, makeAccount, openSignedIn } from '../support/browser.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';

/** Owner, Admin, Manager, Support, Developer live, Developer test. */
const TABLE: Record<string, string> = {
  'products offers offer-keys discounts elements custom-fields files': 'w w w r r w',
  'orders payments refunds subscriptions users': 'w w w w r w',
  'checkout-sessions portal-sessions': 'w w w w - w',
  withdrawals: 'w w w w r w',
  'corrections charges': 'w w w - - w',
  processors: 'w w r - r w',
  imports: 'w w - - - w',
  'invoices tax': 'r r r r r r',
  'ledger reports': 'r r r - - r',
  exports: 'w w w - - w',
  mails: 'w w w w - w',
  webhooks: 'w w r - w w',
  events: 'w w r r w w',
  settings: 'w w r r r w',
  'test-clock': 'w w w r - w',
  'api-keys': 'w w - - w w',
  'request-log': 'r r - - r r',
  members: 'w w r r r r',
  workspace: 'w w r r r r',
  'audit-log': 'r r - - - -',
};
const LEVELS = new Map(
  Object.entries(TABLE).flatMap(([areas, levels]) =>
    areas.split(' ').map((area) => [area, levels.split(' ')] as const),
  ),
);
const TAGS: Record<string, string> = {
  variants: 'products',
  plans: 'products',
  'test-purchases': 'orders',
  listeners: 'webhooks',
  'cancellation-notices': 'withdrawals',
  disputes: 'refunds',
  invitations: 'members',
};
const OPERATIONS: Record<string, string | null> = {
  refundOrder: 'refunds',
  updateOrder: 'corrections',
  receivePayment: 'corrections',
  acceptCharge: 'corrections',
  returnCharge: 'corrections',
  settleRefund: 'corrections',
  createSubscription: 'charges',
  chargeSubscription: 'charges',
  getTaxSummary: 'reports',
  listTaxThresholds: 'reports',
  // Everybody's, or of no workspace.
  leaveWorkspace: null,
  openInvitation: null,
  acceptInvitation: null,
  acceptTransfer: null,
};
/** What belongs to no store, or is cut to what its asker may read. */
const WITHOUT_AREA =
  /^(account|changes|device-requests|installation|notes|oauth|password-reset|portal|search|session|sessions|timeline|views|whoami|workspaces)$/;

interface Asked {
  id: string;
  method: string;
  path: string;
  area: string;
  isRead: boolean;
}

let t: TestApp;
let operations: Asked[];
beforeAll(async () => {
  t = await createTestApp();
  // Our own document, whose shape is known.
  const { paths } = t.app.swagger() as unknown as {
    paths: Record<string, Record<string, { operationId: string; tags: string[]; security?: object[] }>>;
  };
  operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId: id, tags, security = [] }]) => {
      const [tag = ''] = tags;
      const mayBeAsked = security.some((one) => 'session' in one || 'publicKey' in one);
      const area = id in OPERATIONS ? OPERATIONS[id] : (TAGS[tag] ?? tag);
      if (!mayBeAsked || WITHOUT_AREA.test(tag) || area === null) return [];
      const byPublicKey = security.some((one) => 'publicKey' in one && !('secretKey' in one));
      return [
        { id, method: method.toUpperCase(), path, area: area ?? '', isRead: method === 'get' || byPublicKey },
      ];
    }),
  );
});
afterAll(() => t.close());

const NOBODY = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f';

const COLUMNS: Array<[string, Role, 'test' | 'live', number]> = [
  ['Owner', 'owner', 'live', 0],
  ['Admin', 'admin', 'live', 1],
  ['Manager', 'manager', 'live', 2],
  ['Support', 'support', 'live', 3],
  ['Developer in live mode', 'developer', 'live', 4],
  ['Developer in test mode', 'developer', 'test', 5],
];

describe('D12 the role matrix', () => {
  it.each(COLUMNS)('%s is refused exactly what the table says', async (name, role, mode, column) => {
    const email = `${name.toLowerCase().replaceAll(' ', '-')}@roles.example`;
    const { workspaceId } = t.test.scope;
    if (role === 'owner') await t.service.db.deleteFrom('memberships').where('role', '=', 'owner').execute();
    await makeAccount(t, { email, member: { workspaceId, role } });
    const browser = await openSignedIn(t, email, mode === 'test' ? t.test : t.live);
    const wrong: string[] = [];
    for (const operation of operations) {
      const level = LEVELS.get(operation.area)?.[column];
      expect(level, `${operation.id} has an area of the table`).toBeDefined();
      const may = level === 'w' || (level === 'r' && operation.isRead);
      const isRefused = await isForbidden(browser, operation);
      if (isRefused === may)
        wrong.push(`${operation.id} (${operation.area}): ${may ? 'refused' : 'let through'}`);
    }
    expect(wrong).toEqual([]);
  });

  it('has more than a hundred operations to ask', () => {
    expect(operations.length).toBeGreaterThan(100);
  });
});

/** By the role alone: some operations look further, at the Owner's own. */
async function isForbidden(browser: Browser, { method, path }: Asked): Promise<boolean> {
  const url = path.replaceAll(/\{\w+\}/g, NOBODY);
  // A body that no operation takes: nothing is changed by whoever may.
  const body = method === 'GET' ? {} : { body: { 'no-field': 1 } };
  const { status, body: answer } = await browser.request(method, url, body);
  return status === 403 && answer.error.code === 'insufficient_permission';
}
