/** What the lines of a batch name, looked up at once: lines of the same file, and what earlier imports have brought. */
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import type { Brought } from '../../domain/imports/decide.ts';
import { type ImportLine, type LineKind, listNamed } from '../../domain/imports/lines.ts';
import { type CartOffer, listCartOffers } from '../../resources/checkouts/carts.queries.ts';
import { type LineRow, listBrought, listLinesByRef } from '../../resources/imports/import-rows.queries.ts';
import type { ImportRow } from '../../resources/imports/imports.queries.ts';

interface InFile {
  line: number;
  body: ImportLine;
  isRefused: boolean;
}

/** A line that is named: where it stands in the file, and what of ours it is already. */
export interface Known {
  inFile: InFile | null;
  brought: Brought | null;
}

export interface KnownLines {
  find(kind: LineKind, ref: string): Known;
  /** The offers of ours that the lines name, by id. */
  offers: ReadonlyMap<string, CartOffer>;
}

const toKey = (kind: string, ref: string) => `${kind}\n${ref}`;

export async function loadKnown(
  db: Db,
  scope: Scope,
  { imported, rows }: { imported: Pick<ImportRow, 'id' | 'source'>; rows: readonly LineRow[] },
): Promise<KnownLines> {
  const lines = rows.flatMap(({ body }) => (body === null ? [] : [body as ImportLine]));
  const own = lines.map(({ kind, ref }) => ({ kind, ref }));
  const inFile = new Map<string, InFile>();
  const brought = new Map<string, Brought>();
  let asked = unique([...own, ...lines.flatMap(listNamed)]);
  // What offers name is asked for once more: a price is of a product.
  for (let hop = 0; hop < 2 && asked.length > 0; hop += 1) {
    const [found, known] = await Promise.all([
      listLinesByRef(db, scope, { importId: imported.id, named: asked }),
      listBrought(db, scope, { source: imported.source, named: asked }),
    ]);
    for (const { kind, ref, line, body, outcome } of found)
      inFile.set(toKey(kind, ref), { line, body: body as ImportLine, isRefused: outcome === 'refused' });
    for (const { kind, ref, ...one } of known) brought.set(toKey(kind, ref), one);
    const offers = found.flatMap(({ kind, body }) => (kind === 'offer' ? [body as ImportLine] : []));
    asked = unique(offers.flatMap(listNamed)).filter(({ kind, ref }) => !inFile.has(toKey(kind, ref)));
  }
  const offerIds = [...brought].flatMap(([key, { objectId }]) =>
    key.startsWith('offer\n') ? [objectId] : [],
  );
  const offers = offerIds.length === 0 ? [] : await listCartOffers(db, scope, [...new Set(offerIds)]);
  return {
    find: (kind, ref) => ({
      inFile: inFile.get(toKey(kind, ref)) ?? null,
      brought: brought.get(toKey(kind, ref)) ?? null,
    }),
    offers: new Map(offers.map((offer) => [offer.id, offer])),
  };
}

function unique(named: ReadonlyArray<{ kind: LineKind; ref: string }>) {
  return [...new Map(named.map((one) => [toKey(one.kind, one.ref), one])).values()];
}
