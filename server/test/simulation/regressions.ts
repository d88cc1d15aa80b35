/**
 * Seeds that once found something wrong: they are run again every time. What they found is kept as a story in
 * `test/journeys/interrupted-billing.test.ts`, since a change of the steps changes what a seed means.
 */
export const REGRESSIONS: readonly number[] = [414422743, 998299091];
