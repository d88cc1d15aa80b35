import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AREAS, areaOf, mayDo, type Operation, ROLES, toPermissionSet } from './roles.ts';

const LIVE = { testMode: false };
const TEST = { testMode: true };

describe('roles', () => {
  test('an Owner reads every area, and no other role has what the Owner lacks', () => {
    for (const area of AREAS) {
      expect(mayDo('owner', null, { area, access: 'read', ...LIVE })).toBe(true);
      for (const role of ROLES) {
        for (const mode of [LIVE, TEST]) {
          const asked = { area, access: 'write' as const, ...mode };
          if (mayDo(role, null, asked)) expect(mayDo('owner', null, asked)).toBe(true);
        }
      }
    }
  });

  test('a Developer writes in test mode what is closed or only read in live mode', () => {
    expect(mayDo('developer', null, { area: 'orders', access: 'write', ...LIVE })).toBe(false);
    expect(mayDo('developer', null, { area: 'orders', access: 'write', ...TEST })).toBe(true);
    expect(mayDo('developer', null, { area: 'mails', access: 'read', ...LIVE })).toBe(false);
  });

  test('a Custom member has what is given, never the last three, never more than an Owner', () => {
    const given = { orders: 'read', ledger: 'write', members: 'write', 'audit-log': 'read' } as const;
    const set = toPermissionSet('custom', given, false);
    expect(set).toMatchObject({ orders: 'read', ledger: 'read', members: 'none', 'audit-log': 'none' });
    expect(set.products).toBe('none');
    expect(mayDo('custom', null, { area: 'orders', access: 'read', ...LIVE })).toBe(false);
  });

  test('an unknown area is nobody’s', () => {
    expect(mayDo('owner', null, { area: 'moon', access: 'read', ...LIVE })).toBe(false);
  });
});

describe('areas', () => {
  test('every operation of the description has an area, or is named as one that asks for none', () => {
    const file = new URL('../../../docs/openapi.json', import.meta.url);
    const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
      paths: Record<string, Record<string, { tags: string[] }>>;
    };
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { tags }]): Operation => ({ method, path, tag: tags[0] ?? '' })),
    );
    expect(operations.filter((operation) => areaOf(operation) === undefined)).toEqual([]);
  });

  test.each([
    ['POST', '/v0/orders/:orderIdOrNumber/refunds', 'orders', 'refunds'],
    ['PATCH', '/v0/orders/{orderIdOrNumber}/update', 'orders', 'corrections'],
    ['POST', '/v0/charges/{chargeId}/accept', 'payments', 'corrections'],
    ['POST', '/v0/subscriptions/create', 'subscriptions', 'charges'],
    ['POST', '/v0/subscriptions/:id/charge', 'subscriptions', 'charges'],
    ['PATCH', '/v0/products/:id/variants/:variantId/update', 'variants', 'products'],
    ['POST', '/v0/test-purchases/create', 'test-purchases', 'orders'],
    ['GET', '/v0/tax/summary', 'tax', 'reports'],
    ['POST', '/v0/members/leave', 'members', null],
    ['POST', '/v0/invitations/create', 'invitations', 'members'],
    ['GET', '/v0/moons/list', 'moons', undefined],
  ])('%s %s of the tag %s belongs to %s', (method, path, tag, area) => {
    expect(areaOf({ method, path, tag })).toBe(area);
  });
});
