/** What a test expects of a request that is refused. */
import { expect } from 'vitest';
import type { Answer } from './harness.ts';

/** Compares status and code at once, so that a failure shows both. */
export async function expectRefusal(answer: Promise<Answer>, status: number, code: string): Promise<void> {
  const { status: given, body } = await answer;
  expect({ status: given, code: body?.error?.code }).toEqual({ status, code });
}
