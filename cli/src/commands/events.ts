/** `events tail`: a line for each event as it happens. */
import type { Call } from '../call.ts';
import { toSpanMs } from '../duration.ts';
import type { Io } from '../io.ts';
import { createReach } from '../listen/contact.ts';
import { type Own, openPair, type PairFlags, withExample, withPair } from '../own-command.ts';
import { nounOf } from '../program-nouns.ts';
import { readTypes } from './listen.ts';

const LOOK_MS = 1_000;
const PAGE = 100;
/** More than this at one look is the past. */
const PAGES_MAX = 50;

interface TailFlags extends PairFlags {
  types?: string;
  since?: string;
}

interface TailedEvent {
  id: string;
  type: string;
  createdAt: number;
}

export function addTail({ io, program, catalogue: { eventTypes } }: Own): void {
  const command = withPair(nounOf(program, 'events').command('tail'))
    .description('a line for each event as it happens, until Ctrl-C')
    .option('--types <a,b>', 'these types alone')
    .option('--since <span>', 'begin so long ago: 1h, 30m, 2d');
  withExample(command, 'counterfoil events tail --types payment_success --since 1h');
  command.action(async (flags: TailFlags) => {
    const types = flags.types === undefined ? [] : readTypes(flags.types, eventTypes);
    const sinceMs = flags.since === undefined ? 0 : toSpanMs(flags.since);
    const { pair, call } = await openPair(io, flags);
    const beganMs = (pair.isLive ? null : await askClock(call)) ?? io.nowMs();
    await tail(io, { call, types, fromMs: beganMs - sinceMs, isJson: flags.json ?? false });
  });
}

/** The store's time, by which its events are dated; a pair that may not see it has real time. */
async function askClock(call: Call): Promise<number | null> {
  const clock = await call({ method: 'GET', path: '/v0/test-clock' }).catch(() => null);
  return (clock as { testClock: { now: number } } | null)?.testClock.now ?? null;
}

interface Tail {
  call: Call;
  types: string[];
  fromMs: number;
  isJson: boolean;
}

/**
 * Each look reads the newest anew and tells what it has not told: an event that is committed late stands among older
 * ones.
 */
async function tail(io: Io, { call, types, fromMs, isJson }: Tail): Promise<void> {
  const reach = createReach(io);
  const told = new Set<string>();
  while (!io.signal.aborted) {
    const news = await reach(() => readNews({ call, types, fromMs }, told));
    for (const event of news.sort((a, b) => a.createdAt - b.createdAt)) {
      told.add(event.id);
      if (isJson) io.out(JSON.stringify(event));
      else io.out(`${new Date(event.createdAt).toISOString()}  ${event.type.padEnd(22)}  ${event.id}`);
    }
    await io.sleep(LOOK_MS, io.signal);
  }
}

async function readNews(
  { call, types, fromMs }: Omit<Tail, 'isJson'>,
  told: ReadonlySet<string>,
): Promise<TailedEvent[]> {
  const query = new URLSearchParams({ take: String(PAGE), createdFrom: String(fromMs) });
  for (const type of types) query.append('types', type);
  const news: TailedEvent[] = [];
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const data = (await call({ method: 'GET', path: '/v0/events/list', query, triesMax: 1 })) as {
      events: TailedEvent[];
      cursor: string | null;
    };
    const fresh = data.events.filter(({ id }) => !told.has(id));
    news.push(...fresh);
    if (fresh.length < data.events.length || data.cursor === null) break;
    query.set('cursor', data.cursor);
  }
  return news;
}
