import { describe, expect, it } from 'vitest';
import type { Place } from './layout.ts';
import { type ForeignKey, findObstacles, type SchemaFacts } from './obstacles.ts';

const places = new Map<string, Place>([
  ['orders', 'distributed'],
  ['charges', 'distributed'],
  ['stores', 'reference'],
  ['processes', 'one shard'],
  ['upkeep', 'one shard'],
]);

const find = (facts: Partial<SchemaFacts>) =>
  findObstacles({ places, indexes: [], keys: [], triggers: [], ...facts });

describe('what keeps tables from being spread', () => {
  it('is a unique index without the workspace', () => {
    const index = { table: 'orders', name: 'orders_number', columns: ['number'], constraint: null };
    expect(find({ indexes: [index] }).obstacles).toEqual([
      'orders: orders_number is unique without workspace_id',
    ]);
    const whole = { ...index, columns: ['workspace_id', 'number'] };
    const elsewhere = ['stores', 'processes'].map((table) => ({ ...index, table }));
    expect(find({ indexes: [whole, ...elsewhere] }).obstacles).toEqual([]);
  });

  it('is none of links, whose index becomes a plain one', () => {
    const index = { table: 'charges', name: 'charges_by_link', columns: ['id'], constraint: null };
    const { obstacles, notes, plain } = find({ indexes: [index] });
    expect([obstacles, notes, plain]).toEqual([
      [],
      ['charges: charges_by_link becomes a plain index'],
      ['charges_by_link'],
    ]);
    expect(find({ indexes: [{ ...index, constraint: 'unique' }] }).obstacles).toHaveLength(1);
  });

  it('is a constraint that excludes by more than equality', () => {
    const index = {
      table: 'orders',
      name: 'orders_apart',
      columns: ['workspace_id'],
      constraint: 'excluding' as const,
    };
    expect(find({ indexes: [index] }).obstacles).toEqual([
      'orders: orders_apart excludes rows by more than equality',
    ]);
  });

  it('is a key that empties the workspace, or leads to where its rows may not lie', () => {
    const key = {
      table: 'orders',
      name: 'orders_fkey',
      columns: ['workspace_id', 'id'],
      target: 'charges',
      sets: null,
    };
    const told = (change: Partial<ForeignKey>) =>
      find({ keys: [{ ...key, ...change }] }).obstacles.map((line) => line.replace(/^\w+: \w+ /, ''));
    expect(told({})).toEqual([]);
    expect(told({ target: 'stores' })).toEqual([]);
    expect(told({ sets: 'null' })).toEqual(['sets null and holds workspace_id']);
    expect(told({ sets: 'default', target: 'stores' })).toEqual(['sets default and holds workspace_id']);
    expect(told({ columns: ['id'] })).toEqual(['does not hold workspace_id']);
    expect(told({ table: 'stores' })).toEqual([
      'points from a reference table to charges, which is distributed',
    ]);
    expect(told({ table: 'processes' })).toEqual([
      'points from a one shard table to charges, which is distributed',
    ]);
    expect(told({ table: 'processes', target: 'upkeep', columns: ['id'] })).toEqual([]);
  });

  it('is no trigger whose work the service does itself', () => {
    const found = find({ triggers: [{ table: 'stores', name: 'stores_note_files' }] });
    expect(found).toMatchObject({ obstacles: [], gone: ['stores_note_files'] });
    expect(found.notes).toEqual(['stores: stores_note_files goes: the service does what it did']);
  });

  it('is a trigger that would do on each node what is to be done once', () => {
    const triggers = ['stores', 'orders'].map((table) => ({ table, name: `${table}_note` }));
    expect(find({ triggers }).obstacles).toEqual([
      'stores: stores_note would do on each node what is to be done once',
    ]);
  });
});
