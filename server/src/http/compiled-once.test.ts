import { describe, expect, it } from 'vitest';
import { CompiledOnce, reachComponents } from './compiled-once.ts';

const COMPONENTS = {
  Order: { $id: 'Order', properties: { items: { items: { $ref: 'Item#' } } } },
  Item: { $id: 'Item', properties: { order: { $ref: 'Order#' }, price: { $ref: 'Price#/properties/net' } } },
  Price: { $id: 'Price' },
  User: { $id: 'User' },
};

describe('reachComponents', () => {
  it('takes what a schema names, and what that names, and no more', () => {
    const schema = { properties: { order: { $ref: 'Order#' }, self: { $ref: '#/properties/order' } } };
    expect(Object.keys(reachComponents(schema, COMPONENTS))).toEqual(['Order', 'Item', 'Price']);
  });

  it('takes nothing for a schema that names nothing', () => {
    expect(reachComponents({ type: 'string', enum: ['User#'] }, COMPONENTS)).toEqual({});
  });
});

describe('CompiledOnce', () => {
  it('compiles equal schemas once and others apart', () => {
    const compiled = new CompiledOnce<number>();
    let count = 0;
    const take = (schema: unknown, components = {}) => compiled.take(schema, components, () => ++count);
    expect([take({ $ref: 'Order#' }, COMPONENTS), take({ $ref: 'Order#' }, COMPONENTS)]).toEqual([1, 1]);
    expect(take({ $ref: 'User#' }, COMPONENTS)).toBe(2);
    expect(take({ $ref: 'User#' }, { User: { $id: 'User', type: 'object' } })).toBe(3);
  });
});
