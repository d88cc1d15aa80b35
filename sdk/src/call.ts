/** What a method is given and gives, as types. */

export interface CallOptions {
  /** One of your own, so that the call has its effect once even across processes; else one is made for each call. */
  idempotencyKey?: string;
  /** Of one try with its body (ms); 0 = none. */
  timeoutMs?: number;
  maxRetries?: number;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

export interface WithResponse<T> {
  data: T;
  response: Response;
  requestId: string | null;
  /** Whether it is the kept answer of an earlier request with this Idempotency-Key. */
  replayed: boolean;
}

/** The answer's data; `.withResponse()` for what came along. */
export interface Call<T> extends Promise<T> {
  withResponse(): Promise<WithResponse<T>>;
}

export interface Page<T> {
  data: T[];
  /** Number of matches; null where it was not asked for. */
  count: number | null;
  hasMore: boolean;
  cursor: string | null;
  previousCursor: string | null;
}

/** A promise of a page, and all pages: `for await (const order of shop.orders.list())`. */
export interface Listing<T> extends Call<Page<T>>, AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>;
  /** At most `max` rows: a list has no end that is known. */
  toArray(limit: { max: number }): Promise<T[]>;
}

export interface UploadInput {
  /** A stream is sent once, whatever becomes of it. */
  data: Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  fileName: string;
  /** The media type, such as image/png. */
  type: string;
  purpose?: 'picture' | 'download';
}
