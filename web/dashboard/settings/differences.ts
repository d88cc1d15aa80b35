/** What differs between two stores' settings, as paths of PATCH /v0/settings/update. */
import type { Row } from '../api/objects.ts';

export interface Difference {
  path: string;
  before: unknown;
  after: unknown;
}

/** Blocks that change field by field. */
const BLOCKS = ['seller', 'dunning', 'branding', 'portal', 'consumer', 'checkout'];
/** The store's own: its name for itself, and what names an object or a file of one store alone. */
const OWN = [
  'object',
  'version',
  'portalSlug',
  'currency',
  'redirectSecret',
  'testCheckout',
  'invoiceLogo',
  'branding.logo',
  'branding.icon',
  'portal.planChangeOffers',
  'portal.stayDiscountId',
  'checkout.reminderDiscountId',
];

export function findDifferences(of: Row, other: Row): Difference[] {
  return Object.keys(other).flatMap((name) => {
    if (!BLOCKS.includes(name)) return compare(name, of[name], other[name]);
    const [before, after] = [of[name] as Row, other[name] as Row];
    return Object.keys(after).flatMap((field) => compare(`${name}.${field}`, before[field], after[field]));
  });
}

function compare(path: string, before: unknown, after: unknown): Difference[] {
  if (OWN.includes(path) || JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, before, after }];
}

/** The body of a change that makes the first as the other. */
export function toChange(differences: readonly Difference[]): Row {
  const body: Record<string, unknown> = {};
  for (const { path, after } of differences) {
    const [block = '', field] = path.split('.');
    body[block] = field === undefined ? after : { ...(body[block] as Row | undefined), [field]: after };
  }
  return body;
}
