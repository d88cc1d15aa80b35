import { describe, expect, test } from 'vitest';
import { findScopeBeyond, scopesAllow } from './key-scopes.ts';

const write = (area: string, testMode = false) => ({ area, access: 'write' as const, testMode });

describe('scopes of a key pair', () => {
  test('orders:write covers refunds and corrections, subscriptions:write charges', () => {
    expect(scopesAllow(['orders:write'], write('refunds'))).toBe(true);
    expect(scopesAllow(['orders:write'], write('corrections'))).toBe(true);
    expect(scopesAllow(['subscriptions:write'], write('charges'))).toBe(true);
    expect(scopesAllow(['corrections:write'], write('corrections'))).toBe(true);
    expect(scopesAllow(['orders:read'], write('refunds'))).toBe(false);
    expect(scopesAllow(['corrections:write'], write('orders'))).toBe(false);
  });

  test.each(['api-keys', 'request-log', 'members', 'workspace', 'audit-log', 'mcp'])(
    'D55 a pair without scopes lacks %s in both modes',
    (area) => {
      expect(scopesAllow(null, write(area, true))).toBe(false);
      expect(scopesAllow(null, write(area, false))).toBe(false);
      expect(scopesAllow([`${area}:write`], write(area, false))).toBe(true);
    },
  );

  test.each(['processors', 'store-export'])('D55 a pair without scopes lacks %s in live mode', (area) => {
    expect(scopesAllow(null, write(area, true))).toBe(true);
    expect(scopesAllow(null, write(area, false))).toBe(false);
  });
});

describe('D18 scopes beyond the maker', () => {
  const live = (scopes: string[] | null) => ({ scopes, testMode: false });

  test('Owner and Admin alone make a pair without scopes', () => {
    expect(findScopeBeyond({ role: 'owner', permissions: null }, live(null))).toBeNull();
    expect(findScopeBeyond({ role: 'admin', permissions: null }, live(null))).toBeNull();
    const developer = { role: 'developer', permissions: null } as const;
    expect(findScopeBeyond(developer, { scopes: null, testMode: true })).toBe('all');
  });

  test('are found by the mode of the pair', () => {
    const developer = { role: 'developer', permissions: null } as const;
    expect(findScopeBeyond(developer, live(['products:read', 'orders:write']))).toBe('orders:write');
    expect(findScopeBeyond(developer, { scopes: ['orders:write'], testMode: true })).toBeNull();
  });

  test('are found in what a wider word covers', () => {
    const custom = { role: 'custom', permissions: { orders: 'write', 'api-keys': 'write' } } as const;
    expect(findScopeBeyond(custom, live(['orders:write']))).toBe('orders:write');
  });

  test('store-export is the Owner’s to give', () => {
    const scopes = live(['store-export:write']);
    expect(findScopeBeyond({ role: 'admin', permissions: null }, scopes)).toBe('store-export:write');
    expect(findScopeBeyond({ role: 'owner', permissions: null }, scopes)).toBeNull();
  });

  test('a pair gives what it has itself', () => {
    const pair = { role: null, scopes: ['api-keys:write', 'orders:read'] } as const;
    expect(findScopeBeyond(pair, live(['orders:read']))).toBeNull();
    expect(findScopeBeyond(pair, live(['orders:write']))).toBe('orders:write');
    expect(findScopeBeyond(pair, live(null))).toBe('all');
  });
});
