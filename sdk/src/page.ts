/** Lists: a promise of the page that was asked for, and a way through all that come after it. */
import type { Call, Listing, Page, WithResponse } from './call.ts';

type Query = Record<string, unknown>;
type Ask<T> = (query: Query) => Promise<WithResponse<T>>;

/** Sent at once, whether or not anybody waits for it. */
export function toCall<T>(ask: () => Promise<WithResponse<T>>): Call<T> {
  const asked = ask();
  return toPromise(() => asked);
}

/** Its data is taken apart only where somebody asks for it: a failure has one promise that knows of it. */
const toPromise = <T>(once: () => Promise<WithResponse<T>>): Call<T> =>
  Object.assign(
    lazily(() => once().then(({ data }) => data)),
    { withResponse: once },
  );

export function toListing<T>(ask: Ask<Page<T>>, query: Query): Listing<T> {
  let asked: Promise<WithResponse<Page<T>>> | null = null;
  // A list that is only walked is not asked for twice, and one that nobody looks at is not asked for.
  const call = toPromise(() => {
    asked ??= ask(query);
    return asked;
  });
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

/** A promise whose work begins with the first who waits for it. */
function lazily<T>(begin: () => Promise<T>): Promise<T> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: it is a promise in all but the moment at which it begins.
    then: (done, failed) => begin().then(done, failed),
    catch: (failed) => begin().catch(failed),
    finally: (ended) => begin().finally(ended),
    [Symbol.toStringTag]: 'Promise',
  };
}
