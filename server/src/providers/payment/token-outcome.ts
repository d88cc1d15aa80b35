/** What the processor says of a token, before anything is asked for with it. */
export type TokenOutcome =
  /** `fingerprint`: of the card, the same whoever gives it; null = nothing tells it from others. */
  | { kind: 'usable'; fingerprint: string | null }
  /** It names nothing that could pay. */
  | { kind: 'invalid' }
  | { kind: 'no_answer' };
