/** The control port's bodies: whatever is not said in its table is refused. */

export class BadCall extends Error {}

export type Body = Record<string, unknown>;

export function onlyKnows(body: Body, names: readonly string[], at = ''): void {
  const stray = Object.keys(body).find((name) => !names.includes(name));
  if (stray) throw new BadCall(`unknown field ${at}${stray}`);
}

export function need(isRight: boolean, message: string): asserts isRight {
  if (!isRight) throw new BadCall(message);
}

export function isHash(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isTexts(value: unknown): value is Record<string, string> {
  return isHash(value) && Object.values(value).every((one) => typeof one === 'string');
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
