import { describe, expect, it } from 'vitest';
import type { TaxNumberAnswer } from '../../domain/tax/tax-number.ts';
import { rememberAnswers } from './remember-answers.ts';

const HOUR_MS = 3_600_000;

function makeRegister(outcomes: Record<string, TaxNumberAnswer['outcome']> = {}) {
  const asked: string[] = [];
  const clock = { nowMs: 1_000 };
  const register = rememberAnswers(
    {
      name: 'test',
      ask: async (number) => {
        asked.push(number);
        const outcome = outcomes[number] ?? 'valid';
        return { register: 'test', number, outcome, askedAt: clock.nowMs, detail: null, reference: null };
      },
    },
    () => clock.nowMs,
  );
  return { register, asked, clock };
}

describe('rememberAnswers', () => {
  it('asks once for the same number, also by two at once, and again after a day', async () => {
    const { register, asked, clock } = makeRegister();
    await Promise.all([register.ask('DE1'), register.ask('DE1'), register.ask('FR1')]);
    expect(asked).toEqual(['DE1', 'FR1']);
    clock.nowMs += 24 * HOUR_MS - 1;
    expect((await register.ask('DE1')).askedAt).toBe(1_000);
    clock.nowMs += 1;
    expect((await register.ask('DE1')).askedAt).toBe(clock.nowMs);
    expect(asked).toEqual(['DE1', 'FR1', 'DE1']);
  });

  it('asks again after a minute where there was no answer', async () => {
    const { register, asked, clock } = makeRegister({ DE1: 'no_answer' });
    await register.ask('DE1');
    clock.nowMs += 59_999;
    await register.ask('DE1');
    expect(asked).toHaveLength(1);
    clock.nowMs += 1;
    await register.ask('DE1');
    expect(asked).toHaveLength(2);
  });

  it('recalls what was heard, without asking', async () => {
    const { register, asked } = makeRegister({ DE1: 'invalid' });
    expect(register.recall('DE1')).toBe(null);
    await register.ask('DE1');
    expect(register.recall('DE1')?.outcome).toBe('invalid');
    expect(asked).toHaveLength(1);
  });

  it('asks no more than twenty questions at once, and does not take the rest for an answer', async () => {
    const { register, asked } = makeRegister();
    const numbers = Array.from({ length: 21 }, (_, index) => `DE${index}`);
    const answers = await Promise.all(numbers.map((number) => register.ask(number)));
    expect(answers.map(({ outcome }) => outcome)).toEqual([...Array(20).fill('valid'), 'no_answer']);
    expect(register.recall('DE20')).toBe(null);
    expect((await register.ask('DE20')).outcome).toBe('valid');
    expect(asked).toHaveLength(21);
  });

  it('keeps a thousand numbers and forgets the oldest', async () => {
    const { register } = makeRegister();
    for (let number = 0; number <= 1_000; number += 1) await register.ask(`DE${number}`);
    expect([register.recall('DE0'), register.recall('DE1')?.outcome]).toEqual([null, 'valid']);
  });
});
