/** The test clock in the API. */
import { type Static, Type } from 'typebox';
import { Answer, Body, Component, Ms, Nullable, StringEnum, TimeInput } from '../shapes.ts';

export const TestClock = Answer('TestClock', {
  object: StringEnum(['test_clock']),
  now: Ms({ description: "The store's time: real time + offsetMs." }),
  offsetMs: Type.Integer(),
  advancingTo: Nullable(Ms({ description: 'Where an advance that is under way goes to.' })),
});

export const TestClockAnswer = Answer(null, { testClock: Component(TestClock) });

const Count = (maximum: number) => Type.Optional(Type.Integer({ minimum: 0, maximum }));

export const AdvanceClock = Body({
  to: Type.Optional(TimeInput({ description: 'The moment to go to.' })),
  by: Type.Optional(
    Body({
      years: Count(5),
      months: Count(60),
      weeks: Count(261),
      days: Count(1827),
      hours: Count(43_848),
      minutes: Count(2_630_880),
    }),
  ),
});

export const ResetClock = Body({
  confirm: Type.Boolean({ description: 'Must be true: everything in the test store is deleted.' }),
});

export function toTestClock(
  realMs: number,
  { offsetMs, advancingTo }: { offsetMs: number; advancingTo: number | null },
): Static<typeof TestClock> {
  return { object: 'test_clock', now: realMs + offsetMs, offsetMs, advancingTo };
}
