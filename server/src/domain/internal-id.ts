import { invalidField } from './errors.ts';

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
  if (internalId !== undefined && externalId !== undefined && internalId !== externalId) {
    throw invalidField('externalId', 'must be the same as internalId');
  }
  const given = internalId !== undefined ? internalId : externalId;
  return given === '' ? null : given;
}
