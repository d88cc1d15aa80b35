/** Where the tables of the schema lie on a spread store, by the dump of the schema in the repository. */
import type { CreateStmt, IndexStmt, Node } from 'libpg-query';
import { findPlace, PLACED, TENANT } from '../../server/src/domain/spread/layout.ts';
import { findNodes, lastName } from './levels.ts';
import { parse } from './parse.ts';

export interface Layout {
  /** Each row lies with its workspace. */
  distributed: ReadonlySet<string>;
  /** The whole table lies on each node, or it is hot and lies on one. */
  whole: ReadonlySet<string>;
  /** Our own functions, and whether they answer otherwise within one statement. */
  functions: ReadonlyMap<string, 'volatile' | 'steady'>;
}

export function readLayout(schema: string): Layout {
  const parsed = parse(schema);
  const tables = findNodes(parsed, 'CreateStmt');
  const names = tables.map(nameOf);
  const unknown = Object.keys(PLACED).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`server/src/domain/spread/layout.ts: there is no table ${unknown[0]}`);
  const distributed = new Set(
    tables
      .map((table) => ({ name: nameOf(table), columns: columnsOf(table) }))
      .filter((table) => findPlace(table) === 'distributed')
      .map(({ name }) => name),
  );
  return {
    distributed,
    whole: new Set(names.filter((name) => !distributed.has(name))),
    functions: new Map(
      findNodes(parsed, 'CreateFunctionStmt').map(({ funcname, options }) => [
        lastName(funcname),
        isSteady(options) ? 'steady' : 'volatile',
      ]),
    ),
  };
}

/** What keeps tables of the layout from being spread: rule 5. */
export function findSchemaBreaches(schema: string, { distributed, whole }: Layout): string[] {
  const parsed = parse(schema);
  return [
    ...findNodes(parsed, 'CreateStmt').flatMap((table) => {
      const name = nameOf(table);
      const keys = constraintsOf(table);
      return [
        ...keys
          .filter(
            ({ fk_del_action, fk_attrs }) => fk_del_action === 'n' && listNames(fk_attrs).includes(TENANT),
          )
          .map(({ conname }) => `${name}: ${conname} sets null on delete and holds ${TENANT}`),
        ...keys
          .filter(({ pktable }) => whole.has(name) && distributed.has(pktable?.relname ?? ''))
          .map(({ conname }) => `${name}: ${conname} points from a whole table to a spread one`),
        ...keys
          .filter(({ contype, keys }) => isUnique(contype) && isApart(name, listNames(keys)))
          .map(({ conname }) => `${name}: ${conname} is unique without ${TENANT}`),
      ];
    }),
    ...findNodes(parsed, 'IndexStmt')
      .filter((index) => index.unique && isApart(index.relation?.relname ?? '', listColumns(index)))
      .map(({ relation, idxname }) => `${relation?.relname}: ${idxname} is unique without ${TENANT}`),
  ];

  function isApart(table: string, columns: string[]): boolean {
    return distributed.has(table) && !columns.includes(TENANT);
  }
}

function nameOf({ relation }: CreateStmt): string {
  return relation?.relname ?? '';
}

function columnsOf({ tableElts = [] }: CreateStmt): string[] {
  return tableElts.flatMap((node) => ('ColumnDef' in node ? [node.ColumnDef.colname ?? ''] : []));
}

function constraintsOf({ tableElts = [] }: CreateStmt) {
  return tableElts.flatMap((node) => ('Constraint' in node ? [node.Constraint] : []));
}

function isUnique(kind: string | undefined): boolean {
  return kind === 'CONSTR_UNIQUE' || kind === 'CONSTR_PRIMARY';
}

function listNames(nodes: Node[] | undefined): string[] {
  return (nodes ?? []).map((node) => lastName([node]));
}

function listColumns({ indexParams = [] }: IndexStmt): string[] {
  return indexParams.flatMap((node) => ('IndexElem' in node ? [node.IndexElem.name ?? ''] : []));
}

function isSteady(options: Node[] | undefined): boolean {
  return (options ?? []).some((node) => {
    if (!('DefElem' in node) || node.DefElem.defname !== 'volatility') return false;
    const word = node.DefElem.arg;
    return word !== undefined && 'String' in word && word.String.sval !== 'volatile';
  });
}
