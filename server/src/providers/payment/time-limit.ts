/** The time that is left for the calls of one answer. */
export interface TimeLimit {
  leftMs(): number;
  /** It stands still until what is answered is called: a call waits for its turn, and the processor for nothing. */
  hold(): () => void;
}

/** Begins with the first call that asks for it. */
export function createTimeLimit(limitMs: number): TimeLimit {
  let usedMs = 0;
  let sinceMs: number | null = null;
  let hasBegun = false;
  let holds = 0;
  return {
    leftMs: () => {
      if (!hasBegun) {
        hasBegun = true;
        sinceMs = performance.now();
      }
      return limitMs - usedMs - (sinceMs === null ? 0 : performance.now() - sinceMs);
    },
    hold: () => {
      holds += 1;
      if (sinceMs !== null) usedMs += performance.now() - sinceMs;
      sinceMs = null;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holds -= 1;
        if (holds === 0 && hasBegun) sinceMs = performance.now();
      };
    },
  };
}

/** Throws what the call throws, and where it takes longer than is left. */
export async function withinLimit<Outcome>(limit: TimeLimit, call: () => Promise<Outcome>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_resolve, reject) => {
      const arm = () => {
        const leftMs = limit.leftMs();
        if (leftMs <= 0) reject(new Error('the processor took too long'));
        else timer = setTimeout(arm, Math.ceil(leftMs));
      };
      arm();
    });
    return await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}
