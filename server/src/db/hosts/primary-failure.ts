/** Why there is nobody to write to: whoever asked is told 503, and nothing was done. */

/** No host is the primary, or the one that was reached is none. */
export class NoPrimary extends Error {
  override name = 'NoPrimary';
}

/** The primary of before is back: what was written since lies on another server. */
export class StalePrimary extends Error {
  override name = 'StalePrimary';
  readonly timeline: number;
  readonly highest: number;

  constructor(timeline: number, highest: number) {
    super(`the store's primary is of timeline ${timeline}, and timeline ${highest} was written to`);
    this.timeline = timeline;
    this.highest = highest;
  }
}
