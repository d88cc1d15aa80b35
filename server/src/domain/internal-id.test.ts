import { describe, expect, it } from 'vitest';
import { toInternalId } from './internal-id.ts';

describe('toInternalId', () => {
  it('takes either name', () => {
    expect(toInternalId({ internalId: 'a' })).toBe('a');
    expect(toInternalId({ externalId: 'b' })).toBe('b');
    expect(toInternalId({ internalId: 'c', externalId: 'c' })).toBe('c');
  });

  it('tells missing from cleared', () => {
    expect(toInternalId({})).toBeUndefined();
    expect(toInternalId({ internalId: null })).toBeNull();
    expect(toInternalId({ externalId: '' })).toBeNull();
  });

  it('refuses two names that differ', () => {
    expect(() => toInternalId({ internalId: 'a', externalId: 'b' })).toThrow('externalId');
    expect(() => toInternalId({ internalId: null, externalId: 'b' })).toThrow('externalId');
  });
});
