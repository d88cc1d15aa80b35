/**
 * Seeds that are run every time, so that a run says the same twice. What a seed once found is kept as a story in
 * `test/journeys/interrupted-billing.test.ts` and `test/journeys/corrections.test.ts`, since a change of the steps
 * changes what a seed means.
 */
export const REGRESSIONS: readonly number[] = [
  // Found something wrong once.
  414422743, 998299091, 1517377105,
  // Comes past lost disputes, and orders that are cancelled and corrected.
  20261121,
  // A period's end fell into the time that operations took: the model put its charge down too late, and the order
  // of charges was read by their moments.
  1306987281,
  196189605,
  // Come past renewals that nobody authenticates, ends that find a charge taken, and debts paid by one press.
  2135101308, 544094076, 1898096887,
];
