/** `npm run endurance -- processors` and `-- operations` run some tests in numbers that the suite has no time for. */
const IS_FULL = process.env.ENDURANCE_FULL === 'true';

export const sizeOf = (short: number, full: number): number => (IS_FULL ? full : short);

/** What a full run prints of a test: a line of its figures. */
export function tellFigures(name: string, figures: Record<string, number | string>): void {
  if (IS_FULL) console.log(`${name}: ${JSON.stringify(figures)}`);
}
