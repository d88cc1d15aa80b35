import { describe, expect, it } from 'vitest';
import { findPlace, PLACED } from './layout.ts';

describe('where a table lies', () => {
  it('is with its workspace where it names one', () => {
    expect(findPlace({ name: 'orders', columns: ['workspace_id', 'id'] })).toBe('distributed');
    expect(findPlace({ name: 'due_work', columns: ['workspace_id', 'kind'] })).toBe('distributed');
  });

  it('is on each node where it names none, or is asked before one is known', () => {
    expect(findPlace({ name: 'workspaces', columns: ['id'] })).toBe('reference');
    expect(findPlace({ name: 'accounts', columns: ['id', 'confined_workspace_id'] })).toBe('reference');
    expect(findPlace({ name: 'api_keys', columns: ['workspace_id', 'id'] })).toBe('reference');
  });

  it('is on one node where it is written all the time', () => {
    expect(findPlace({ name: 'processes', columns: ['id'] })).toBe('one shard');
    expect(findPlace({ name: 'device_requests', columns: ['workspace_id'] })).toBe('one shard');
  });

  it('has a reason wherever it is not as its columns say', () => {
    const plain = Object.entries(PLACED).filter(([, { why }]) => why.length < 10);
    expect(plain).toEqual([]);
  });
});
