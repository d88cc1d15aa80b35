/** What the columns of a file of rows are, read from the shape that the API declares of a row. */

/** A JSON schema as the API declares it. */
export interface FieldShape {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, FieldShape>;
  patternProperties?: Record<string, FieldShape>;
  items?: FieldShape;
  anyOf?: FieldShape[];
  minimum?: number;
  maximum?: number;
  /** Money, though without the bound of one amount. */
  'x-sum'?: boolean;
}

/** Shared shapes by the name that `$ref` gives them, such as `Order#`. */
export type SharedShapes = ReadonlyMap<string, FieldShape>;

/**
 * How a field is written: an amount as minor units and as money, a moment as ms and in words, a text guarded against
 * being taken for a formula; `fields` are answers to the questions of a store, one column each.
 */
export type ColumnKind = 'text' | 'number' | 'yes' | 'amount' | 'time' | 'words' | 'json' | 'fields';

export interface Column {
  /** As in the row: `user.username`. */
  path: string;
  kind: ColumnKind;
  /** Of an amount: the path of its currency; null = the row tells none, and it is the store's. */
  currencyPath: string | null;
}

const AMOUNT_MAX = Number.MAX_SAFE_INTEGER;
const DEPTH_MAX = 5;

interface Place {
  path: string;
  depth: number;
  /** The nearest currency at this depth or above. */
  currencyPath: string | null;
}

export function listColumns(shape: FieldShape, shared: SharedShapes): Column[] {
  return columnsOf(shape, shared, { path: '', depth: 0, currencyPath: null });
}

function columnsOf(given: FieldShape, shared: SharedShapes, place: Place): Column[] {
  const shape = resolve(given, shared);
  const { path, depth, currencyPath } = place;
  if (!shape.properties || depth >= DEPTH_MAX) {
    const kind = toKind(shape, path);
    return [{ path, kind, currencyPath: kind === 'amount' ? currencyPath : null }];
  }
  const within = (name: string) => (path === '' ? name : `${path}.${name}`);
  const own = shape.properties.currency ? within('currency') : currencyPath;
  return Object.entries(shape.properties).flatMap(([name, inner]) =>
    isTheSameInAll(resolve(inner, shared))
      ? []
      : columnsOf(inner, shared, { path: within(name), depth: depth + 1, currencyPath: own }),
  );
}

/** Such as `object`: of a file of orders each row is one. */
function isTheSameInAll({ enum: words }: FieldShape): boolean {
  return words?.length === 1;
}

function resolve(shape: FieldShape, shared: SharedShapes): FieldShape {
  if (shape.$ref !== undefined) return shared.get(shape.$ref) ?? {};
  const one = shape.anyOf?.find(({ type }) => type !== 'null');
  return one ? resolve(one, shared) : shape;
}

function toKind(shape: FieldShape, path: string): ColumnKind {
  const types = [shape.type ?? []].flat().filter((type) => type !== 'null');
  if (types.length !== 1) return types.includes('string') ? 'text' : 'json';
  switch (types[0]) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'yes';
    case 'integer':
      if (shape['x-sum']) return 'amount';
      if (shape.maximum !== AMOUNT_MAX) return 'number';
      return shape.minimum === 0 ? 'time' : 'amount';
    case 'number':
      return 'number';
    case 'array':
      return shape.items?.type === 'string' ? 'words' : 'json';
    default:
      return shape.patternProperties && path === 'customFields' ? 'fields' : 'json';
  }
}

/** A column for each of the store's questions in the place of all their answers. */
export function spreadFields(columns: readonly Column[], keys: readonly string[]): Column[] {
  return columns.flatMap((column) =>
    column.kind === 'fields'
      ? keys.map((key): Column => ({ path: `${column.path}.${key}`, kind: 'text', currencyPath: null }))
      : [column],
  );
}
