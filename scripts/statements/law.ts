/**
 * The law of statements: what each must be so that a store whose rows are spread over several nodes by their workspace
 * asks one node and not all. Rules by their numbers in docs/decisions/0047-statements-name-their-workspace.md.
 */
import type { Node } from 'libpg-query';
import { TENANT } from '../../server/src/domain/spread/layout.ts';
import type { Layout } from './layout.ts';
import {
  findNodes,
  type Level,
  lastName,
  listConditions,
  listLevels,
  listQueries,
  listSources,
  markOf,
  type Source,
} from './levels.ts';
import { parse } from './parse.ts';

export interface Breach {
  rule: 1 | 2 | 3 | 4;
  /** What breaks it, the same for all texts of a statement that differ by their filters. */
  what: string;
}

/** Of PostgreSQL's own functions those that answer otherwise each time they are asked. */
const VOLATILE =
  /^(random|random_normal|gen_random_uuid|uuidv[47]|clock_timestamp|timeofday|nextval|setval|currval|lastval|set_config|setseed|pg_notify|pg_sleep\w*|pg_(try_)?advisory_\w+)$/;

/** Breaches of all statements of a text, each once. */
export function findBreaches(text: string, layout: Layout): Breach[] {
  const found = (parse(text).stmts ?? []).flatMap(({ stmt }) => {
    const levels = listLevels(stmt);
    return levels.flatMap((level, place) => [
      ...findUnscoped(level, layout),
      ...findFunctions(level, layout),
      ...findAskedFunctions(level),
      ...findLocks(level, layout),
      ...(place === 0 ? findCostlyWiths(level, layout) : []),
      ...findRecursion(level, layout),
      ...findAskedValues(level),
    ]);
  });
  return [...new Map(found.map((breach) => [`${breach.rule} ${breach.what}`, breach])).values()];
}

/** Rule 1. */
function findUnscoped(level: Level, { distributed }: Layout): Breach[] {
  const scopes = listScopes(level, distributed);
  return listSources(level)
    .filter(({ table, alias }) => distributed.has(table) && !scopes.has(alias))
    .map(({ table }) => ({ rule: 1, what: `${level.verb} ${table} ${markOf(level)}` }));
}

type Scoped = 'one' | 'several';

/** The tables of a level whose workspace it names, by their aliases. */
function listScopes(level: Level, distributed: Layout['distributed']): Map<string, Scoped> {
  const sources = listSources(level).filter(({ table }) => distributed.has(table));
  const scopes = new Map<string, Scoped>();
  for (const condition of listConditions(level)) {
    for (const [column, scoped] of listEqualities(condition)) {
      const alias = toTenantAlias(column, sources);
      if (alias !== null && scopes.get(alias) !== 'one') scopes.set(alias, scoped);
    }
  }
  return scopes;
}

/** What a condition makes equal to something that is known before the statement runs. */
function listEqualities(condition: Node): Array<[Node, Scoped]> {
  if (!('A_Expr' in condition) || lastName(condition.A_Expr.name) !== '=') return [];
  const { kind, lexpr: left, rexpr: right } = condition.A_Expr;
  if (!left || !right) return [];
  if (kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_IN') return isKnown(right) ? [[left, 'several']] : [];
  if (kind !== 'AEXPR_OP') return [];
  if ('RowExpr' in left && 'RowExpr' in right) {
    const values = right.RowExpr.args ?? [];
    const columns = left.RowExpr.args ?? [];
    return columns.flatMap((column, place): Array<[Node, Scoped]> => {
      const value = values[place];
      return value && isKnown(value) ? [[column, 'one']] : [];
    });
  }
  if (isKnown(right)) return [[left, 'one']];
  return isKnown(left) ? [[right, 'one']] : [];
}

function isKnown(node: Node): boolean {
  if ('ParamRef' in node || 'A_Const' in node) return true;
  if ('TypeCast' in node) return node.TypeCast.arg !== undefined && isKnown(node.TypeCast.arg);
  if ('List' in node) return (node.List.items ?? []).every(isKnown);
  return 'A_ArrayExpr' in node && (node.A_ArrayExpr.elements ?? []).every(isKnown);
}

/** Whose workspace a column is; null = it is another column, or nobody's for sure. */
function toTenantAlias(column: Node, sources: Source[]): string | null {
  if (!('ColumnRef' in column)) return null;
  const { fields = [] } = column.ColumnRef;
  if (lastName(fields) !== TENANT) return null;
  if (fields.length > 1) return lastName(fields.slice(0, -1));
  const [only] = sources;
  return only && sources.length === 1 ? only.alias : null;
}

/** Rule 2. */
function findFunctions(level: Level, layout: Layout): Breach[] {
  const { verb, parts } = level;
  const changes = verb === 'update' || verb === 'merge' ? parts : null;
  const written = { conflict: parts.onConflictClause, returning: parts.returningClause };
  const isOurs = (name: string) => layout.functions.has(name);
  const isVolatile = (name: string) => VOLATILE.test(name) || layout.functions.get(name) === 'volatile';
  const names = [
    ...listCalls(changes).filter(isVolatile),
    ...listCalls(written).filter((name) => isVolatile(name) || isOurs(name)),
  ];
  const table = parts.relation?.relname;
  return names.map((name) => ({ rule: 2, what: `${verb} ${table} by ${name}()` }));
}

function listCalls(parsed: unknown): string[] {
  return findNodes(parsed, 'FuncCall').map(({ funcname }) => lastName(funcname));
}

/**
 * Rule 2, too: `(select now())` among the conditions or values of a change is what the engine cannot take to a node. As
 * part of another question it can.
 */
function findAskedFunctions({ verb, parts }: Level): Breach[] {
  if (verb !== 'update' && verb !== 'delete') return [];
  const asked = listOwnQuestions({ where: parts.whereClause, values: parts.targetList });
  const bare = asked.some((query) => 'SelectStmt' in query && !query.SelectStmt.fromClause);
  return bare ? [{ rule: 2, what: `${verb} ${parts.relation?.relname} by a question without a table` }] : [];
}

/** What stands in brackets for a value, but for what stands within other questions. */
function listOwnQuestions(parsed: unknown): Node[] {
  if (Array.isArray(parsed)) return parsed.flatMap(listOwnQuestions);
  if (typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(parsed).flatMap(([key, inner]) => {
    if (key !== 'SubLink') return listOwnQuestions(inner);
    return inner.subLinkType === 'EXPR_SUBLINK' && inner.subselect ? [inner.subselect] : [];
  });
}

/** Rule 3. */
function findLocks(level: Level, { distributed }: Layout): Breach[] {
  const locks = (level.parts.lockingClause ?? []).flatMap((node) =>
    'LockingClause' in node ? [node.LockingClause.lockedRels ?? []] : [],
  );
  if (locks.length === 0) return [];
  const named = new Set(locks.flat().flatMap((node) => ('RangeVar' in node ? [node.RangeVar.relname] : [])));
  const isWhole = locks.some((names) => names.length === 0);
  const scopes = listScopes(level, distributed);
  return listSources(level)
    .filter(({ table, alias }) => distributed.has(table) && (isWhole || named.has(alias)))
    .filter(({ alias }) => scopes.get(alias) !== 'one')
    .map(({ table }) => ({ rule: 3, what: `lock ${table} ${markOf(level)}` }));
}

/** Rule 4: a `with` that changes something is of one table, wherever else the statement reads or writes. */
function findCostlyWiths(outermost: Level, { distributed }: Layout): Breach[] {
  const changing = listQueries(outermost.parts.withClause).filter(({ query }) => !('SelectStmt' in query));
  if (changing.length === 0) return [];
  const levels = listLevels(outermost.parts, outermost);
  const tables = [outermost, ...levels].flatMap((level) => [
    ...listSources(level).map(({ table }) => table),
    level.parts.relation?.relname ?? '',
  ]);
  const spread = [...new Set(tables)].filter((table) => distributed.has(table)).sort();
  return spread.length > 1 ? [{ rule: 4, what: `with ${spread.join(', ')}` }] : [];
}

function findRecursion({ parts }: Level, { distributed }: Layout): Breach[] {
  if (!parts.withClause?.recursive) return [];
  const tables = findNodes(parts.withClause, 'RangeVar').map(({ relname }) => relname ?? '');
  const spread = [...new Set(tables)].filter((table) => distributed.has(table));
  return spread.map((table) => ({ rule: 4, what: `recursion over ${table}` }));
}

function findAskedValues({ verb, parts }: Level): Breach[] {
  if (verb !== 'insert' || !parts.selectStmt || !('SelectStmt' in parts.selectStmt)) return [];
  const asked = findNodes(parts.selectStmt.SelectStmt.valuesLists, 'SubLink');
  return asked.length > 0 ? [{ rule: 4, what: `question in the values of ${parts.relation?.relname}` }] : [];
}
