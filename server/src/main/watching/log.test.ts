import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findLogEvent, LOG_EVENTS } from '../../domain/log-events.ts';
import { createLog } from './log.ts';

interface Line {
  level: number;
  msg: string;
  repeated?: number;
  code?: string;
}

const SOURCES = fileURLToPath(new URL('../../', import.meta.url));
const listSources = () =>
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(path.join(SOURCES, name), 'utf8'));

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

  it('O44 says what happened by a word, when as a date, and of nobody who', () => {
    const cause = Object.assign(new Error('invalid input syntax for type uuid: "ada@example.com"'), {
      ...{ code: '22P02', detail: 'Key (email)=(ada@example.com)', query: 'select 4242424242424242' },
    });
    log.error(
      { err: cause, kind: 'send_mail', body: { card: '4242424242424242' }, email: 'ada@example.com' },
      'a bug of ours',
    );
    log.warn({ address: '198.51.100.77', count: 3 }, 'an address sends key pairs that are unknown or wrong');
    log.warn(
      { address: '2001:db8:1:2:3:4:5:6' },
      'to ada@example.com by https://pay.example.com/checkout/abc?token=ghi, sk_live_4242ABCDefgh4242IJKL',
    );
    const [failed, wrong, told] = lines as unknown as Array<Record<string, unknown>>;
    expect(failed).toEqual({
      ...{ time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), level: 50, event: 'internal_error' },
      ...{ kind: 'send_mail', msg: 'a bug of ours' },
      err: { type: 'Error', code: '22P02', message: expect.any(String), stack: expect.any(String) },
    });
    expect(wrong).toMatchObject({ event: 'address_guesses_pairs', address: '198.51.100.0/24', count: 3 });
    expect(told).toMatchObject({ event: 'other', address: '2001:db8:1::/48' });
    const text = JSON.stringify(lines);
    for (const secret of ['ada', '4242', 'ghi', '100.77']) expect(text).not.toContain(secret);
  });

  it('O44 has a word for each sentence that the code tells', () => {
    const sentences = listSources().flatMap((text) =>
      [
        ...text.matchAll(/\blog\.(?:warn|info|error)\(\s*(?:\{[^}]*\},\s*)?(?:'([^']*)'|"([^"]*)"),?\s*\)/g),
      ].map(([, one, other]) => one ?? other ?? ''),
    );
    expect(sentences.length).toBeGreaterThan(30);
    expect(sentences.filter((sentence) => findLogEvent(sentence) === null)).toEqual([]);
    const named = listSources().flatMap((text) =>
      [...text.matchAll(/\blog(?:\(\)\?)?\.(?:warn|info|error)\(\s*\{[^}]*\bevent: '(\w+)'/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !(name in LOG_EVENTS))).toEqual([]);
  });

  it('reads as text at a terminal', () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line) };
    const text = createLog('info', { asText: true, stream });
    text.warn({ err: refused(), kind: 'send_mail' }, 'a job failed and will be tried again');
    expect(lines.join('')).toMatch(
      /^\S+Z {2}WARN {3}job_failed {2}a job failed and will be tried again {2}kind=send_mail\n {4}Error: /,
    );
  });

  it('keeps back nothing that is no error', () => {
    for (let n = 0; n < 3; n += 1) {
      log.warn({ address: '192.0.2.1' }, 'an address sends wrong pairs');
      log.info({ err: refused() }, 'told to a client');
    }
    expect(lines).toHaveLength(6);
  });
});
