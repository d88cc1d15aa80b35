import type { ApiError } from '../api/client.ts';

/** What is wrong and stands at no field: it is said above them all. */
export function toRestOfError(error: ApiError, isAtField: (path: string) => boolean): string | null {
  if (error.details.length === 0) return error.message;
  const lost = error.details.filter(({ path }) => !isAtField(path));
  return lost.length === 0 ? null : lost.map(({ path, message }) => `${path}: ${message}`).join(' · ');
}
