/**
 * The numbered cases that the product promises: an attack (Y), a fault (T), a screen (D), a step of the storefront (S),
 * a processor's case (P), a tool's (X), an operator's (O). Each is a test that bears its number in its title.
 */
export interface CaseSeries {
  letter: string;
  count: number;
  about: string;
  /** Every number must have its test; of the others the missing ones are only told. */
  isComplete: boolean;
}

export const CASE_SERIES: readonly CaseSeries[] = [
  {
    letter: 'Y',
    count: 31,
    about: 'what strangers, buyers and holders of a public key may do',
    isComplete: true,
  },
  { letter: 'T', count: 53, about: 'faults and bad inputs to survive', isComplete: false },
  { letter: 'D', count: 59, about: 'the dashboard', isComplete: false },
  { letter: 'S', count: 54, about: 'portal, consumer law, embedding, checkout', isComplete: false },
  { letter: 'P', count: 52, about: 'payment processors', isComplete: false },
  { letter: 'X', count: 54, about: 'SDK, command line, packages, import and export', isComplete: false },
  { letter: 'O', count: 55, about: 'operation', isComplete: false },
];
