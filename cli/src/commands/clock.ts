/** `clock`: the clock of the test store, with its progress. */
import type { Command } from 'commander';
import type { Call } from '../call.ts';
import { confirmWrite } from '../confirm.ts';
import { toDateMs, toStep } from '../duration.ts';
import { CommandError, EXIT, type Io } from '../io.ts';
import { type Own, openPair, type PairFlags, withExample, withPair, withYes } from '../own-command.ts';
import { showData } from '../show.ts';

const CLOCK = '/v0/test-clock';
const ADVANCE_TIMEOUT_MS = 600_000;
const LOOK_MS = 2_000;

export function addClock({ io, program }: Own): void {
  const clock = program.command('clock').description('the clock of the test store');
  const show = withPair(clock.command('show')).description('what time it is there, and what falls due next');
  withExample(show, 'counterfoil clock show').action(async (flags: PairFlags) => {
    const { call } = await openPair(io, flags);
    showData(io, await call({ method: 'GET', path: CLOCK }));
  });
  addAdvance(io, clock);
  const reset = withYes(withPair(clock.command('reset'))).description(
    'empty the test store, and set its clock to real time',
  );
  withExample(reset, 'counterfoil clock reset --yes').action(async (flags: PairFlags) => {
    const { pair, call } = await openPair(io, flags);
    await confirmWrite(io, { call, pair, what: 'clock reset', asks: true, yes: flags.yes });
    showData(io, await call({ method: 'POST', path: `${CLOCK}/reset`, body: { confirm: true } }));
  });
}

function addAdvance(io: Io, clock: Command): void {
  const advance = withYes(withPair(clock.command('advance [span]')))
    .description('move it forward: everything that falls due on the way is done')
    .option('--to <date>', 'to this moment instead: 2027-01-31, or ms');
  withExample(advance, 'counterfoil clock advance 1month', 'counterfoil clock advance --to 2027-12-24');
  advance.action(async (span: string | undefined, flags: PairFlags & { to?: string }) => {
    if ((span === undefined) === (flags.to === undefined))
      throw new CommandError(EXIT.usage, 'Say a span, such as 1month, or --to DATE.');
    const body = span === undefined ? { to: toMoment(flags.to ?? '') } : { by: toStep(span) };
    const { pair, call } = await openPair(io, flags);
    await confirmWrite(io, { call, pair, what: 'clock advance', asks: false, yes: flags.yes });
    showData(io, await advanceClock(io, { call, body }));
  });
}

function toMoment(text: string): number {
  const ms = /^\d+$/.test(text) ? Number(text) : toDateMs(text);
  if (Number.isFinite(ms)) return ms;
  throw new CommandError(EXIT.usage, `--to is a date, not ${text}.`);
}

interface Clock {
  testClock: { now: number; advancingTo: number | null; done: Record<string, number> | null };
}

/** Says where it is while it goes, and at the end what was done. */
export async function advanceClock(
  io: Io,
  { call, body }: { call: Call; body: object },
): Promise<Record<string, unknown>> {
  const over = new AbortController();
  const watching = watch(io, { call, over: over.signal });
  try {
    const request = { method: 'POST', path: `${CLOCK}/advance`, body, timeoutMs: ADVANCE_TIMEOUT_MS };
    const data = (await call(request)) as Record<string, unknown> & Clock;
    const { now, done } = data.testClock;
    const parts = Object.entries(done ?? {}).map(([kind, count]) => `${count} ${kind}`);
    io.err(`It is ${toDay(now)} there. Done: ${parts.join(', ') || 'nothing was due'}.`);
    return data;
  } finally {
    over.abort();
    await watching;
  }
}

async function watch(io: Io, { call, over }: { call: Call; over: AbortSignal }): Promise<void> {
  for (;;) {
    await io.sleep(LOOK_MS, AbortSignal.any([over, io.signal]));
    if (over.aborted || io.signal.aborted) return;
    // Only told of: the advance itself says what goes wrong.
    const clock = await call({ method: 'GET', path: CLOCK, triesMax: 1 }).catch(() => null);
    const { now, advancingTo } = (clock as Clock | null)?.testClock ?? { now: 0, advancingTo: null };
    if (advancingTo !== null && !over.aborted) io.err(`${toDay(now)} of ${toDay(advancingTo)}`);
  }
}

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
