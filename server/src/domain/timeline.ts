/** What a timeline tells of, and one entry of it. */
export const ENTRY_TYPES = [
  'event',
  'charge',
  'refund',
  'dispute',
  'mail',
  'delivery',
  'audit',
  'note',
] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

export interface EntryRow {
  type: EntryType;
  id: string;
  at: number;
  title: string;
  actor: string | null;
  data: Record<string, unknown>;
}
