/**
 * A connection that notices that nobody is left at its other end. A cable that is pulled, a proxy that forgets or a
 * machine that freezes says nothing: without a limit of our own the statement under way would wait for ever, and with
 * it the connection's place in the pool and whatever loop has asked.
 */
import type { EventEmitter } from 'node:events';
import pg from 'pg';

/** Told with the moment (ms, monotonic) since which nothing was heard of a connection that is let go. */
export const SILENT = 'silent';

declare module 'pg' {
  interface ClientConfig {
    /** How long the server may say nothing while a statement is under way; missing = for ever. */
    silenceLimitMs?: number;
  }
}

/** pg's own client, of which the pool makes its connections; what is not in its typing is named here. */
interface Internals {
  connection: { stream: { bytesRead: number; destroyed: boolean; destroy(error: Error): void } };
}

export class WatchedClient extends pg.Client {
  private readonly silenceLimitMs: number | null;
  private isAsking = false;
  private timer: NodeJS.Timeout | null = null;
  private heardMs = 0;
  private heardBytes = 0;

  constructor(config: pg.ClientConfig) {
    super(config);
    this.silenceLimitMs = config.silenceLimitMs ?? null;
    // Told when everything that was asked has been answered.
    this.on('drain', () => {
      this.isAsking = false;
    });
    this.once('end', () => clearTimeout(this.timer ?? undefined));
    // One of pg's many forms, which are all handed on as they come.
    const ask = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      this.watch();
      return ask(...given);
    }) as typeof this.query;
  }

  private watch(): void {
    if (this.isAsking || this.silenceLimitMs === null) return;
    this.isAsking = true;
    this.heardMs = performance.now();
    this.heardBytes = this.stream.bytesRead;
    // A timer for each statement would cost more than one that now and then finds that all is well.
    this.timer ??= this.startTimer(this.silenceLimitMs, this.silenceLimitMs);
  }

  private startTimer(limitMs: number, waitMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.timer = null;
      if (!this.isAsking) return;
      if (this.stream.bytesRead !== this.heardBytes) {
        this.heardBytes = this.stream.bytesRead;
        this.heardMs = performance.now();
      }
      const leftMs = this.heardMs + limitMs - performance.now();
      if (leftMs > 0) this.timer = this.startTimer(limitMs, leftMs);
      else this.letGo(limitMs);
    }, waitMs).unref();
  }

  /** Everything that waits fails at once, and the pool lets the connection go. */
  private letGo(limitMs: number): void {
    // As an event of pg's own, of whose names its typing has a list.
    (this as EventEmitter).emit(SILENT, this.heardMs);
    this.stream.destroy(new Error(`the store has said nothing for ${limitMs} ms`));
  }

  /** What nobody asks anything is gone all the same: its pool makes another in its place. */
  distrustWhileIdle(): void {
    this.stream.destroy(new Error('the store has said nothing on another connection'));
  }

  /** Its socket. */
  protected get stream(): Internals['connection']['stream'] {
    return (this as unknown as Internals).connection.stream;
  }
}
