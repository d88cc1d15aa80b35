const AT_ONCE = 4;
const ITEMS_MAX = 500;

export interface EachResult<T> {
  done: T[];
  failed: Array<{ item: T; error: unknown }>;
}

/** Does one thing with each item, a few at a time; what was not begun when it is stopped is left alone. */
export async function runEach<T>(
  items: readonly T[],
  signal: AbortSignal,
  on: { work: (item: T) => Promise<void>; moved: (count: number) => void },
): Promise<EachResult<T>> {
  const rest = items.slice(0, ITEMS_MAX);
  const result: EachResult<T> = { done: [], failed: [] };
  const take = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined && !signal.aborted; item = rest.shift()) {
      try {
        await on.work(item);
        result.done.push(item);
      } catch (error) {
        result.failed.push({ item, error });
      }
      on.moved(result.done.length + result.failed.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return result;
}
