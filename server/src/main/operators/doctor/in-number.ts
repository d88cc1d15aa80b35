/** A sentence in the number of what it counts: `#` stands for how many there are. */
export const inNumber = (count: number, one: string, many: string): string =>
  count === 1 ? one : many.replace('#', String(count));
