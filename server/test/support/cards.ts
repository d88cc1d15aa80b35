/** The sandbox's cards that the tests pay with. */
export const VISA = '4242424242424242';
/** Asks for an authentication, and succeeds after it. */
export const AUTHENTICATES = '4000002500003155';
/** A soft decline. */
export const DECLINED = '4000000000000002';
/** Reported as lost: a hard decline. */
export const LOST = '4000000000009987';
/** The first charge succeeds, every later one is a soft decline. */
export const PAYS_ONCE = '4000000000000341';
/** Succeeds; the buyer's bank disputes it a day later. */
export const DISPUTED = '4000000000000259';
/** The outcome is not known for two minutes, then it is a success. */
export const UNKNOWN_FIRST = '4000000000000119';
