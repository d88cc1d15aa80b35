import { chooseSpelling } from './spellings.ts';

/** The merchant's own id of an object, by either of its two names in a body. */
export interface InternalIdInput {
  internalId?: string | null;
  externalId?: string | null;
}

/**
 * `externalId` is the older name of `internalId`; an empty text unsets it. Undefined when neither is given.
 * Throws invalid_input when both are given and differ.
 */
export function toInternalId({ internalId, externalId }: InternalIdInput): string | null | undefined {
  const given = chooseSpelling(['internalId', internalId], ['externalId', externalId]);
  return given === '' ? null : given;
}
