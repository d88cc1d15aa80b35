/**
 * How many slots each lane may hold in this process. A lane that ends its work quickly is given more and more;
 * one that is slow keeps a few, and a single one where many are slow, so that receivers that hang cost the others nothing. What has run for
 * longer than a moment holds no slot of the quick ones: it waits for an answer and needs little else.
 */

export interface LaneLimits {
  /** A lane that nothing is known of yet. */
  firstRoom: number;
  roomMax: number;
  /** Work that takes longer is slow (ms). */
  slowAfterMs: number;
  /** Work that has just begun, over all lanes. */
  quickMax: number;
  /** What a slow lane holds as long as few are slow: a receiver that takes two seconds for each would never catch up with one. */
  slowRoom: number;
  /** From so much work of slow lanes on, over all of them, each holds a single slot. */
  slowMany: number;
  /** Work of slow lanes, over all of them. */
  slowMax: number;
  allMax: number;
}

export const LANE_LIMITS: LaneLimits = {
  firstRoom: 4,
  roomMax: 96,
  slowAfterMs: 1_000,
  quickMax: 128,
  slowRoom: 4,
  slowMany: 250,
  slowMax: 500,
  allMax: 1_000,
};

const BATCHES_PER_ROOM = 4;
/** Lanes that are remembered; the oldest are forgotten first and begin anew. */
const REMEMBERED_MAX = 10_000;

export interface Lanes {
  /** Room of each lane now, and how much may begin in all. */
  measure(
    lanes: readonly string[],
    nowMs: number,
  ): { rooms: Array<{ lane: string; room: number }>; limit: number };
  /** Work of a lane begins; call what is returned when it has ended. */
  begin(lane: string, nowMs: number): (endMs: number) => void;
}

interface Lane {
  room: number;
  isSlow: boolean;
  /** Moments at which the work that runs has begun. */
  begun: Set<{ atMs: number }>;
}

/** Times are of a clock that only goes forward (ms). */
export function createLanes(limits: LaneLimits = LANE_LIMITS): Lanes {
  const known = new Map<string, Lane>();

  function count(nowMs: number): { quick: number; slow: number; all: number } {
    const counted = { quick: 0, slow: 0, all: 0 };
    for (const lane of known.values()) {
      for (const { atMs } of lane.begun) {
        counted.all += 1;
        if (lane.isSlow || nowMs - atMs > limits.slowAfterMs) counted.slow += 1;
        else counted.quick += 1;
      }
    }
    return counted;
  }

  return {
    measure(lanes, nowMs) {
      const { quick, slow, all } = count(nowMs);
      const rooms = lanes.map((id) => {
        const lane = known.get(id);
        if (!lane) return { lane: id, room: limits.firstRoom };
        if (lane.isSlow && slow >= limits.slowMax) return { lane: id, room: 0 };
        const most = lane.isSlow && slow >= limits.slowMany ? 1 : lane.room;
        const room = most - lane.begun.size;
        // A wide lane takes a batch at a time: what is claimed and recorded together costs less each.
        const isWorthIt = lane.begun.size === 0 || room >= lane.room / BATCHES_PER_ROOM;
        return { lane: id, room: isWorthIt ? Math.max(room, 0) : 0 };
      });
      const limit = Math.max(Math.min(limits.quickMax - quick, limits.allMax - all), 0);
      return { rooms: rooms.filter(({ room }) => room > 0), limit };
    },
    begin(id, nowMs) {
      const lane = known.get(id) ?? { room: limits.firstRoom, isSlow: false, begun: new Set() };
      // Set again, so that the map's order is that of use.
      known.delete(id);
      known.set(id, lane);
      const entry = { atMs: nowMs };
      lane.begun.add(entry);
      if (known.size > REMEMBERED_MAX) forgetOldest(known);
      return (endMs) => {
        lane.begun.delete(entry);
        lane.isSlow = endMs - nowMs > limits.slowAfterMs;
        lane.room = lane.isSlow ? limits.slowRoom : Math.min(lane.room * 2, limits.roomMax);
      };
    },
  };
}

function forgetOldest(known: Map<string, Lane>): void {
  for (const [id, lane] of known) {
    if (lane.begun.size > 0) continue;
    known.delete(id);
    return;
  }
}
