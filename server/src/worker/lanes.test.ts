import { describe, expect, it } from 'vitest';
import { createLanes, LANE_LIMITS } from './lanes.ts';

const SLOW_MS = LANE_LIMITS.slowAfterMs + 1;

/** Begins as much as the lanes allow, by turns, and answers the ends of what has begun. */
function fill(lanes: ReturnType<typeof createLanes>, ids: string[], nowMs: number) {
  const { rooms, limit } = lanes.measure(ids, nowMs);
  const turns = rooms.flatMap(({ lane, room }) =>
    Array.from({ length: room }, (_, turn) => ({ lane, turn })),
  );
  turns.sort((a, b) => a.turn - b.turn);
  return turns.slice(0, limit).map(({ lane }) => ({ lane, end: lanes.begin(lane, nowMs) }));
}

describe('createLanes', () => {
  it('gives a lane more room with each quick end, up to its most', () => {
    const lanes = createLanes();
    for (let turn = 0; turn < 10; turn += 1) lanes.begin('a', turn)(turn + 1);
    expect(lanes.measure(['a'], 20).rooms).toEqual([{ lane: 'a', room: LANE_LIMITS.roomMax }]);
  });

  it('leaves a slow lane a few slots until it is quick again', () => {
    const lanes = createLanes();
    lanes.begin('a', 0)(SLOW_MS);
    const ends = Array.from({ length: LANE_LIMITS.slowRoom }, () => lanes.begin('a', SLOW_MS));
    expect(lanes.measure(['a', 'b'], SLOW_MS).rooms).toEqual([{ lane: 'b', room: LANE_LIMITS.firstRoom }]);
    for (const end of ends) end(SLOW_MS + 1);
    expect(lanes.measure(['a'], SLOW_MS + 2).rooms).toEqual([
      { lane: 'a', room: LANE_LIMITS.slowRoom * 2 ** 4 },
    ]);
  });

  it('leaves each slow lane a single slot where many are', () => {
    const lanes = createLanes();
    const ids = Array.from({ length: LANE_LIMITS.slowMany }, (_, n) => `slow-${n}`);
    for (const id of ids) lanes.begin(id, 0)(SLOW_MS);
    for (const id of ids) lanes.begin(id, SLOW_MS);
    expect(lanes.measure(ids, SLOW_MS).rooms).toEqual([]);
  });

  it.each([100, 2_000])('keeps room for a healthy lane beside %i that hang', (count) => {
    const lanes = createLanes();
    const dead = Array.from({ length: count }, (_, n) => `dead-${n}`);
    const ends = [];
    // Hanging work ends at its limit of 15 s, again and again; each second something new is due everywhere.
    for (let second = 0; second < 60; second += 1) {
      const nowMs = second * 1_000;
      while (ends.length > 0 && nowMs - (ends[0]?.atMs ?? 0) >= 15_000) ends.shift()?.end(nowMs);
      for (const { lane, end } of fill(lanes, ['healthy', ...dead], nowMs)) {
        if (lane === 'healthy') end(nowMs + 5);
        else ends.push({ atMs: nowMs, end });
      }
      if (second < 15) continue;
      // Once the dead are known, the healthy one is never without a slot.
      const { rooms, limit } = lanes.measure(['healthy'], nowMs + 999);
      expect(rooms).toHaveLength(1);
      if (count === 100) expect(limit).toBeGreaterThan(0);
      expect(ends.length).toBeLessThanOrEqual(LANE_LIMITS.allMax);
    }
  });
});
