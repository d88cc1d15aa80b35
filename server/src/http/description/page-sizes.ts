/** R11: how many rows a page holds by itself, and at most. */
import { TAKE_DEFAULT, TAKE_MAX } from '../../resources/paging.ts';
import { type Description, listDescribed } from './document.ts';

/** Lists whose pages are of another size by themselves. */
const DEFAULTS: Readonly<Record<string, number>> = {
  listSubscriptions: 10,
  listPortalSubscriptions: 10,
  listUsers: 10,
  listInventory: 10,
  search: 5,
  listChanges: 100,
};

export function tellPageSizes({ paths }: Description): void {
  for (const { one } of listDescribed(paths)) {
    for (const { name, in: place, schema } of one.parameters ?? []) {
      if (place !== 'query' || (name !== 'take' && name !== 'limit')) continue;
      const { maximum } = schema;
      schema.default = DEFAULTS[one.operationId] ?? TAKE_DEFAULT;
      // More is taken, and served as this.
      schema.maximum = typeof maximum === 'number' && maximum <= 1000 ? maximum : TAKE_MAX;
      schema.description = `Rows of a page, 1 to ${schema.maximum}; ${schema.default} when missing.`;
    }
  }
}
