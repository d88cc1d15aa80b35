/** How the operators' commands end, as the merchant's do (`cli`). 0 = done. */
export const EXIT = {
  bug: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  /** Keys or scopes. */
  notAllowed: 5,
  /** Done, and something was found. */
  found: 6,
  /** No store, or one that does not answer. */
  unreachable: 7,
  /** Whoever was asked said no. */
  declined: 130,
} as const;
