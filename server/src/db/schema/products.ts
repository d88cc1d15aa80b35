import type { Defaulted, JsonDefault, Scoped } from './columns.ts';

export interface ProductTables {
  products: ProductsTable;
  variants: VariantsTable;
  files: FilesTable;
}

export interface ProductsTable extends Scoped {
  id: string;
  type: string;
  internalId: string | null;
  name: string;
  slug: string;
  description: string | null;
  developer: string | null;
  publisher: string | null;
  pegiRating: string | null;
  releaseDate: number | null;
  systems: Defaulted<string[]>;
  genres: Defaulted<string[]>;
  status: 'DRAFT' | 'ACTIVE' | 'HIDDEN';
  cover: string | null;
  coverBlurHash: string | null;
  coverVideo: string | null;
  trailer: string | null;
  gallery: JsonDefault<Array<{ value: string; blurHash: string | null }>>;
  features: JsonDefault<Array<{ value: string }>>;
  projectId: string | null;
  withdrawal: Defaulted<'service' | 'content' | 'excluded'>;
  archivedAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** Raised by edits alone. */
  version: Defaulted<number>;
}

export interface VariantsTable extends Scoped {
  id: string;
  productId: string;
  internalId: string | null;
  name: string;
  description: string | null;
  features: JsonDefault<Array<{ value: string }>>;
  cover: string | null;
  coverBlurHash: string | null;
  coverVideo: string | null;
  position: number;
  archivedAt: number | null;
  createdAt: number;
  /** Raised by edits alone. */
  version: Defaulted<number>;
}

export interface FilesTable extends Scoped {
  id: string;
  fileName: string;
  sizeBytes: number;
  contentType: string;
  /** A picture is shown to anybody, a download leaves by links of its buyers alone. */
  purpose: 'picture' | 'download';
  blurHash: string | null;
  createdAt: number;
  /** Null = of before it was noted: its bytes lie in DATA_DIR under the id alone. */
  sha256: string | null;
  /** Null = of before it was noted. */
  writtenRealMs: Defaulted<number | null>;
  /** When a row first named it, in real ms; null = nothing ever did. Missing where rows are restored: it counts as used. */
  usedAt: Defaulted<number | null>;
}
