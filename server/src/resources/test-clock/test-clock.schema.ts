/** The test clock in the API. */
import { type Static, Type } from 'typebox';
import { JOB_KINDS, type JobKind } from '../../domain/due-work.ts';
import type { UpcomingWork } from '../due-work/store-work.queries.ts';
import { Answer, Body, Component, Described, Ms, Nullable, StringEnum, TimeInput } from '../shapes.ts';

export const TestClock = Answer('TestClock', {
  object: StringEnum(['test_clock']),
  now: Ms({ description: "The store's time: real time + offsetMs." }),
  offsetMs: Type.Integer({ description: 'How far it is before real time (ms).' }),
  advancingTo: Nullable(Ms({ description: 'Where an advance that is under way goes to.' })),
  upcoming: Type.Array(
    Answer(null, {
      at: Ms(),
      kind: Type.String({ description: 'What is to be done; new kinds may be added.' }),
      object: Type.String({ description: 'What it is done to.' }),
      id: Type.String(),
    }),
    { description: 'What falls due next, at most 20.' },
  ),
  done: Nullable(
    Type.Record(Type.String(), Type.Integer(), {
      description: 'Of an advance: how much of each kind was done.',
    }),
  ),
});

export const TestClockAnswer = Answer(null, { testClock: Component(TestClock) });

const Count = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum, description }));

export const AdvanceClock = Body({
  to: Type.Optional(TimeInput({ description: 'The moment to go to.' })),
  by: Type.Optional(
    Described(
      Body({
        years: Count(5, 'Calendar years.'),
        months: Count(60, 'Calendar months.'),
        weeks: Count(261, 'Weeks.'),
        days: Count(1827, 'Days.'),
        hours: Count(43_848, 'Hours.'),
        minutes: Count(2_630_880, 'Minutes.'),
      }),
      'How far to go; the parts are added up.',
    ),
  ),
});

export const ResetClock = Body({
  confirm: Type.Boolean({ description: 'Must be true: everything in the test store is deleted.' }),
});

interface ClockState {
  offsetMs: number;
  advancingTo: number | null;
  upcoming: readonly UpcomingWork[];
  done: Record<string, number> | null;
}

export function toTestClock(
  realMs: number,
  { offsetMs, advancingTo, upcoming, done }: ClockState,
): Static<typeof TestClock> {
  return {
    object: 'test_clock',
    now: realMs + offsetMs,
    offsetMs,
    advancingTo,
    upcoming: upcoming.map(({ dueMs, kind, id }) => ({ at: dueMs, kind, object: toObject(kind), id })),
    done,
  };
}

/** `webhook_deliveries` → `webhook_delivery`. */
function toObject(kind: string): string {
  const table: string = JOB_KINDS[kind as JobKind] ?? kind;
  return table.endsWith('ies') ? `${table.slice(0, -3)}y` : table.replace(/s$/, '');
}
