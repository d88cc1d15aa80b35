/** Which pair of keys an actor came with; null = none: a session of the dashboard. */
const PREFIX = 'key:';

export function toKeyId({ name }: { name: string }): string | null {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : null;
}
