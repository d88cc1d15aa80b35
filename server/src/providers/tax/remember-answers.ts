/**
 * A page asks for its price at every change, and must not ask the register each time. Kept in memory alone: what a
 * sale rested on is stored with the sale.
 */
import type { TaxNumberAnswer } from '../../domain/tax/tax-number.ts';
import type { RememberedRegister, TaxNumberRegister } from './tax-number-register.ts';

/** Registers change by the day. */
const KEPT_MS = 24 * 3_600_000;
/** A register that is down is asked again soon, but not by every key that a buyer presses. */
const SILENCE_KEPT_MS = 60_000;
const NUMBERS_MAX = 1_000;
/** Anybody with a page can make us ask; beyond this the register would be ours to overload. */
const ASKED_AT_ONCE_MAX = 20;

export function rememberAnswers(register: TaxNumberRegister, nowMs: () => number): RememberedRegister {
  const heard = new Map<string, TaxNumberAnswer>();
  const asked = new Map<string, Promise<TaxNumberAnswer>>();

  const recall = (number: string): TaxNumberAnswer | null => {
    const answer = heard.get(number);
    if (!answer) return null;
    const keptMs = answer.outcome === 'no_answer' ? SILENCE_KEPT_MS : KEPT_MS;
    return nowMs() - answer.askedAt < keptMs ? answer : null;
  };

  const askAnew = async (number: string): Promise<TaxNumberAnswer> => {
    try {
      const answer = await register.ask(number);
      heard.delete(number);
      heard.set(number, answer);
      const [oldest] = heard.keys();
      if (heard.size > NUMBERS_MAX && oldest !== undefined) heard.delete(oldest);
      return answer;
    } finally {
      asked.delete(number);
    }
  };

  const toSilence = (number: string): TaxNumberAnswer => ({
    register: register.name,
    number,
    outcome: 'no_answer',
    askedAt: nowMs(),
    detail: 'too many questions at once',
    reference: null,
  });

  return {
    name: register.name,
    recall,
    async ask(number) {
      const known = recall(number);
      if (known) return known;
      const running = asked.get(number);
      if (running) return running;
      if (asked.size >= ASKED_AT_ONCE_MAX) return toSilence(number);
      const asking = askAnew(number);
      asked.set(number, asking);
      return asking;
    },
  };
}
