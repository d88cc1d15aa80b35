import { invalidField } from './errors.ts';
import { leadsIntoWeb } from './web-address.ts';

const FIELDS = ['cover', 'coverVideo', 'trailer'] as const;

/** What something of the catalogue shows beside its words, each by its address. */
export type MediaAddresses = Partial<Record<(typeof FIELDS)[number], string | null>> & {
  gallery?: ReadonlyArray<{ value: string }>;
};

/**
 * Whoever reads these addresses puts them into a page of their own. Throws invalid_input for one that is no page's or
 * file's, but takes what `before` has already: older rows are sent back as they were read. `place` stands in front of
 * the path.
 */
export function requireMediaAddresses(given: MediaAddresses, before: MediaAddresses = {}, place = ''): void {
  for (const field of FIELDS) {
    const address = given[field];
    if (address != null && address !== before[field]) requireIntoWeb(`${place}${field}`, address);
  }
  const known = new Set(before.gallery?.map(({ value }) => value));
  for (const [index, { value }] of (given.gallery ?? []).entries()) {
    if (!known.has(value)) requireIntoWeb(`${place}gallery.${index}.value`, value);
  }
}

function requireIntoWeb(path: string, address: string): void {
  if (!leadsIntoWeb(address)) throw invalidField(path, 'must be an http or https address');
}
