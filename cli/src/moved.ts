/** A redirect is not followed, since keys go nowhere else; whoever asked is told where it leads. */

export const toMovedMessage = (from: string, to: string) => `${from} sends on to ${to}: give that address.`;

/** The address that a service is to be asked at instead, as a proxy says that wants https; null = it is no redirect. */
export function findMoved({ status, headers }: Response, asked: string): string | null {
  if (status < 300 || status > 399) return null;
  const location = headers.get('location');
  return location !== null && URL.canParse(location, asked) ? new URL(location, asked).origin : 'elsewhere';
}
