import { describe, expect, it } from 'vitest';
import { createIds } from './ids.ts';

describe('ids', () => {
  it('of one moment keep their order while ids of other moments are made between them', () => {
    const ids = createIds();
    const made = Array.from({ length: 500 }, (_, count) => {
      ids.next(2_000 + (count % 7));
      return ids.next(1_000);
    });
    expect(made.toSorted()).toEqual(made);
  });

  it('order by their moment, and are all different', () => {
    const ids = createIds();
    const made = Array.from({ length: 25_000 }, (_, count) => ids.next(count));
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });
});
