/** Lists: a promise of the page that was asked for, and a way through all that come after it. */
import type { Call, Listing, Page, WithResponse } from './call.ts';

type Query = Record<string, unknown>;
type Ask<T> = (query: Query) => Promise<WithResponse<T>>;

/** Nothing is sent before it is looked at. */
export function toCall<T>(ask: () => Promise<WithResponse<T>>): Call<T> {
  let asked: Promise<WithResponse<T>> | null = null;
  const once = () => {
    asked ??= ask();
    return asked;
  };
  return Object.assign(
    lazily(() => once().then(({ data }) => data)),
    { withResponse: once },
  );
}

export function toListing<T>(ask: Ask<Page<T>>, query: Query): Listing<T> {
  const call = toCall(() => ask(query));
  async function* pages(): AsyncGenerator<Page<T>> {
    let page = await call;
    yield page;
    while (page.hasMore && page.cursor !== null) {
      const { skip: _done, ...rest } = query;
      page = (await ask({ ...rest, cursor: page.cursor })).data;
      yield page;
    }
  }
  async function* rows(): AsyncGenerator<T> {
    for await (const page of pages()) yield* page.data;
  }
  return Object.assign(call, {
    pages,
    [Symbol.asyncIterator]: rows,
    async toArray({ max }: { max: number }) {
      const found: T[] = [];
      if (max <= 0) return found;
      for await (const row of rows()) if (found.push(row) >= max) break;
      return found;
    },
  });
}

/** A promise whose work begins with the first who waits for it: a list that is only walked is not asked for twice. */
function lazily<T>(begin: () => Promise<T>): Promise<T> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: it is a promise in all but the moment at which it begins.
    then: (done, failed) => begin().then(done, failed),
    catch: (failed) => begin().catch(failed),
    finally: (ended) => begin().finally(ended),
    [Symbol.toStringTag]: 'Promise',
  };
}
