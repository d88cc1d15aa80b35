/**
 * The path of a picture that was uploaded here. What we show loads nothing from another origin, so one that lies elsewhere
 * is left out; a page draws something else in its place.
 */
export function toOwnPicture(address: string | null): string | null {
  return /\/files\/[0-9a-f-]{36}$/.exec(address ?? '')?.[0] ?? null;
}
