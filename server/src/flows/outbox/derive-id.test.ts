import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveId, deriveKey, type PeriodWork, PLACE_MAX } from './derive-id.ts';

const works: fc.Arbitrary<PeriodWork> = fc.record({
  workspaceId: fc.uuid(),
  subscriptionId: fc.uuid(),
  startMs: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  kind: fc.constantFrom('payment' as const, 'charge' as const, 'event' as const, 'mail' as const),
  n: fc.integer(),
  place: fc.integer({ min: 0, max: PLACE_MAX }),
});

describe('an id that follows from a period', () => {
  it('O28 is the same for the same work, and has the form of a UUIDv7 that bears the period’s start', () => {
    fc.assert(
      fc.property(works, (work) => {
        const id = deriveId(work);
        expect(deriveId({ ...work })).toBe(id);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(work.startMs);
        const key = deriveKey(work);
        expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }),
    );
  });

  it('O28 is another for other work', () => {
    fc.assert(
      fc.property(works, works, (one, other) => {
        const toText = ({ place: _place, ...rest }: PeriodWork) => JSON.stringify(Object.values(rest));
        fc.pre(toText(one) !== toText(other));
        expect(deriveId(one)).not.toBe(deriveId(other));
      }),
    );
  });

  it('O28 sorts by its place among those of one period', () => {
    fc.assert(
      fc.property(works, works, (one, other) => {
        fc.pre(one.place < other.place);
        expect(deriveId(one) < deriveId({ ...other, startMs: one.startMs })).toBe(true);
      }),
    );
  });
});
