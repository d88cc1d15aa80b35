/** Codes that are given out: one that has ended there may have been given out anew, and here two discounts have none alike. */
export interface TakenCodes {
  has(code: string | null): boolean;
  add(code: string | null): void;
}

/** `running` are those of what has not ended: they are brought along, or else the first of each. */
export function createTaken(running: ReadonlyArray<string | null>): TakenCodes {
  const toKey = (code: string) => code.toLowerCase();
  const taken = new Set(running.flatMap((code) => (code === null ? [] : [toKey(code)])));
  return {
    has: (code) => code !== null && taken.has(toKey(code)),
    add: (code) => {
      if (code !== null) taken.add(toKey(code));
    },
  };
}
