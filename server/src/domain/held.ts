/** Why a store is held: it may be a copy of one that lives, or its operator wants it so. */
export const HELD_REASONS = [
  'system_identifier',
  'data_dir',
  'public_url',
  'restored',
  'operator',
  'witness',
] as const;
export type HeldReason = (typeof HELD_REASONS)[number];
