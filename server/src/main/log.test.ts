import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from './log.ts';

interface Line {
  level: number;
  msg: string;
  repeated?: number;
  code?: string;
}

let lines: Line[];
let log: ReturnType<typeof createLog>;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  log = createLog('info', { stream: { write: (line: string) => void lines.push(JSON.parse(line)) } });
});
afterEach(() => {
  vi.useRealTimers();
});

const refused = (code = 'ECONNREFUSED') =>
  Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' });

describe('the log', () => {
  it('O44 tells of a store that refuses in two lines within 10 s, however many ask it', () => {
    for (let tick = 0; tick < 40; tick += 1) {
      log.warn({ err: refused() }, 'due work could not be claimed');
      log.child({ reqId: tick }).warn({ err: refused() }, 'old idempotency keys could not be deleted');
      vi.advanceTimersByTime(240);
    }
    vi.advanceTimersByTime(400);
    expect(lines).toMatchObject([
      { msg: 'due work could not be claimed' },
      { repeated: 79, code: 'ECONNREFUSED' },
    ]);
  });

  it('tells again after that time, and apart what has another code, kind or message', () => {
    log.error({ err: refused() }, 'gone');
    log.error({ err: refused('ETIMEDOUT') }, 'gone');
    log.error({ err: new Error('one'), kind: 'send_mail' }, 'a job failed');
    log.error({ err: new Error('one'), kind: 'watch_order' }, 'a job failed');
    log.error({ err: new Error('two'), kind: 'watch_order' }, 'a job failed');
    expect(lines).toHaveLength(5);
    vi.advanceTimersByTime(10_000);
    expect(lines).toHaveLength(5);
    log.error({ err: refused() }, 'gone');
    expect(lines).toHaveLength(6);
  });

  it('keeps back nothing that is no error', () => {
    for (let n = 0; n < 3; n += 1) {
      log.warn({ address: '192.0.2.1' }, 'an address sends wrong pairs');
      log.info({ err: refused() }, 'told to a client');
    }
    expect(lines).toHaveLength(6);
  });
});
