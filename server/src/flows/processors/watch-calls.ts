/** Judges connections by how calls over them end. Each process sees its own; what it finds is kept for all. */
import type { Context } from '../../context.ts';
import { judgeCalls, noteCall, openWindow } from '../../domain/processors/call-window.ts';
import type { CallEnd } from '../../providers/payment/call-end.ts';
import type { OpenedConnection } from '../../providers/payment/registry.ts';
import { type HealthChange, noteHealth } from './change-health.ts';

/** What was told is told again after this, should another process have found otherwise meanwhile. */
const AGAIN_MS = 60_000;

export interface CallWatch {
  ended(connection: OpenedConnection, end: CallEnd): void;
  /** Waits until what was found is kept. */
  settle(): Promise<void>;
}

type Found = 'ok' | 'degraded' | 'broken';

const CHANGES: Readonly<Record<Found, Omit<HealthChange, 'id'>>> = {
  ok: { to: 'ok', reason: null, from: ['degraded'] },
  degraded: { to: 'degraded', reason: 'calls_unanswered', from: ['ok', 'silent'] },
  broken: { to: 'broken', reason: 'access_refused' },
};

/** `service` is asked for at the first call: it is built around the processors. */
export function createCallWatch(service: () => Omit<Context, 'nowMs'>): CallWatch {
  const windows = new Map<string, ReturnType<typeof openWindow>>();
  const told = new Map<string, { found: Found; atMs: number }>();
  const telling = new Set<Promise<void>>();

  function tell({ id, scope }: OpenedConnection, found: Found, atMs: number): void {
    const last = told.get(id);
    const isNew = last ? last.found !== found || atMs - last.atMs >= AGAIN_MS : true;
    // Of one that nobody has found unwell there is nothing to say.
    if (!isNew || (found === 'ok' && last?.found !== 'degraded')) return;
    told.set(id, { found, atMs });
    const done = noteHealth(service(), scope, { id, ...CHANGES[found] })
      .then(() => {})
      .catch((error: unknown) => {
        told.delete(id);
        service().log.warn({ err: error }, 'the health of a processor could not be noted');
      })
      .finally(() => telling.delete(done));
    telling.add(done);
  }

  return {
    ended(connection, end) {
      const atMs = service().realNowMs();
      const window = windows.get(connection.id) ?? openWindow();
      windows.set(connection.id, window);
      noteCall(window, { atMs, isAnswered: end !== 'unanswered' });
      if (end === 'locked_out') return tell(connection, 'broken', atMs);
      const judged = judgeCalls(window);
      if (judged) tell(connection, judged === 'well' ? 'ok' : 'degraded', atMs);
    },
    async settle() {
      await Promise.all(telling);
    },
  };
}
