/** What stands in the place of a sealed value that no key opens any more, or that was given up. */
export const LOST = 'lost';
