import { describe, expect, it } from 'vitest';
import { mayGive, mayTouch, narrowScopes } from './scopes.ts';

const giver = (role: string, ...granted: string[]) => ({
  role,
  may: (area: string, access = 'read') =>
    granted.includes(`${area}:write`) || granted.includes(`${area}:${access}`),
});

describe('D18 the scopes that a member may give', () => {
  const developer = giver('developer', 'orders:write', 'refunds:write', 'mails:read');

  it('are those of what they may do themselves, with all that a wider word covers', () => {
    const scopes = ['orders:read', 'orders:write', 'mails:read', 'mails:write', 'users:read', 'mcp:write'];
    expect(scopes.filter((scope) => mayGive(scope, developer))).toEqual([
      'orders:read',
      'mails:read',
      'mcp:write',
    ]);
    const corrects = giver('developer', 'orders:write', 'refunds:write', 'corrections:write');
    expect(mayGive('orders:write', corrects)).toBe(true);
  });

  it('are all for the Owner and Admins alone, and the whole store for the Owner', () => {
    expect(['owner', 'admin', 'developer'].map((role) => mayTouch(null, giver(role)))).toEqual([
      true,
      true,
      false,
    ]);
    expect(['owner', 'admin'].map((role) => mayGive('store-export:write', giver(role)))).toEqual([
      true,
      false,
    ]);
  });

  it('are what a pair has that they may change or roll', () => {
    expect(mayTouch(['orders:read'], developer)).toBe(true);
    expect(mayTouch(['orders:read', 'users:read'], developer)).toBe(false);
  });

  it('are the ones that the form asks for, and one of them has to be chosen', () => {
    const fields = [{ name: 'scopes', kind: 'many', options: ['orders:read', 'users:read'] }] as const;
    expect(narrowScopes(fields, developer)).toEqual([
      { ...fields[0], options: ['orders:read'], hint: 'keys.scopesNeeded' },
    ]);
  });
});
