/** A parsed statement by its query levels: each has tables, and conditions that hold for all that it reads. */
import { createHash } from 'node:crypto';
import type { InsertStmt, Node, RangeVar, SelectStmt, UpdateStmt, WithClause } from 'libpg-query';

export type Verb = 'select' | 'insert' | 'update' | 'delete' | 'merge';

/** What the parser knows of any of the five, as far as they are asked here. */
export type Parts = Partial<
  Pick<SelectStmt, 'fromClause' | 'whereClause' | 'lockingClause' | 'valuesLists'>
> &
  Partial<Pick<UpdateStmt, 'targetList' | 'returningClause' | 'withClause'>> &
  Partial<Pick<InsertStmt, 'relation' | 'selectStmt' | 'onConflictClause'>> & {
    usingClause?: Node[];
    sourceRelation?: Node;
    joinCondition?: Node;
  };

export interface Level {
  verb: Verb;
  parts: Parts;
  /** Within another one, be it of a `with`. */
  isWithin: boolean;
  /** Names that are no tables here. */
  withNames: ReadonlySet<string>;
}

const VERBS: Readonly<Record<string, Verb>> = {
  SelectStmt: 'select',
  // The arms of a union stand there without their name.
  larg: 'select',
  rarg: 'select',
  InsertStmt: 'insert',
  UpdateStmt: 'update',
  DeleteStmt: 'delete',
  MergeStmt: 'merge',
};

/** All levels within, from the outermost in. */
export function listLevels(parsed: unknown, around?: Level): Level[] {
  if (Array.isArray(parsed)) return parsed.flatMap((one) => listLevels(one, around));
  if (!isRecord(parsed)) return [];
  return Object.entries(parsed).flatMap(([key, inner]) => {
    const verb = VERBS[key];
    if (!verb || !isRecord(inner) || isJoined(key, inner)) return listLevels(inner, around);
    const parts: Parts = inner;
    const withNames = new Set([...(around?.withNames ?? []), ...listWithNames(parts.withClause)]);
    const level = { verb, parts, isWithin: around !== undefined, withNames };
    return [level, ...listLevels(inner, level)];
  });
}

/** Where something stands in its text, and as which value. */
const PLACES = new Set([
  'location',
  'number',
  'list_start',
  'list_end',
  'rexpr_list_start',
  'rexpr_list_end',
]);

/**
 * A mark of a level that is the same for all texts that differ by values and by how many there are. Conditions of an
 * outermost level count only where they join: a list has others for each set of filters.
 */
export function markOf({ parts, isWithin }: Level): string {
  const told = isWithin ? parts : [fromOf(parts), parts.lockingClause];
  const text = JSON.stringify(told, (key, value) => {
    if (PLACES.has(key)) return undefined;
    return Array.isArray(value) && value.every(isValue) ? value.slice(0, 1) : value;
  });
  return createHash('sha256').update(text).digest('hex').slice(0, 6);
}

function isValue(one: unknown): boolean {
  return isRecord(one) && 'ParamRef' in one;
}

/** The sides of a join have the same names as the arms of a union. */
function isJoined(key: string, inner: Record<string, unknown>): boolean {
  return key.endsWith('arg') && !('op' in inner);
}

function listWithNames(clause: WithClause | undefined): string[] {
  return listQueries(clause).map(({ name }) => name);
}

/** The queries of a `with`, by their names. */
export function listQueries(clause: WithClause | undefined): Array<{ name: string; query: Node }> {
  return (clause?.ctes ?? []).flatMap((node) => {
    if (!('CommonTableExpr' in node)) return [];
    const { ctename: name, ctequery: query } = node.CommonTableExpr;
    return name !== undefined && query ? [{ name, query }] : [];
  });
}

export interface Source {
  table: string;
  /** As the level's columns name it. */
  alias: string;
}

/** The tables of a level itself, without those of the levels within. */
export function listSources({ verb, parts, withNames }: Level): Source[] {
  const own = verb === 'insert' ? [] : [parts.relation];
  const named = [...own, ...fromOf(parts).flatMap(listRanges)];
  return named.flatMap((range) => {
    if (range?.relname === undefined || (!range.schemaname && withNames.has(range.relname))) return [];
    return [{ table: range.relname, alias: range.alias?.aliasname ?? range.relname }];
  });
}

function fromOf({ fromClause = [], usingClause = [], sourceRelation }: Parts): Node[] {
  return [...fromClause, ...usingClause, ...(sourceRelation ? [sourceRelation] : [])];
}

function listRanges(node: Node | undefined): RangeVar[] {
  if (!node) return [];
  if ('RangeVar' in node) return [node.RangeVar];
  return 'JoinExpr' in node ? [...listRanges(node.JoinExpr.larg), ...listRanges(node.JoinExpr.rarg)] : [];
}

/** What must hold at a level, each condition by itself. */
export function listConditions({ parts }: Level): Node[] {
  const conditions = [parts.whereClause, parts.joinCondition, ...fromOf(parts).flatMap(listJoinConditions)];
  return conditions.flatMap(toConjuncts);
}

function listJoinConditions(node: Node | undefined): Array<Node | undefined> {
  if (!node || !('JoinExpr' in node)) return [];
  const { quals, larg, rarg } = node.JoinExpr;
  return [quals, ...listJoinConditions(larg), ...listJoinConditions(rarg)];
}

function toConjuncts(node: Node | undefined): Node[] {
  if (!node) return [];
  if (!('BoolExpr' in node) || node.BoolExpr.boolop !== 'AND_EXPR') return [node];
  return (node.BoolExpr.args ?? []).flatMap(toConjuncts);
}

/** Every node of that kind within, at any level. */
export function findNodes<Kind extends string>(
  parsed: unknown,
  kind: Kind,
): Array<Extract<Node, Record<Kind, unknown>>[Kind]> {
  if (Array.isArray(parsed)) return parsed.flatMap((one) => findNodes(one, kind));
  if (!isRecord(parsed)) return [];
  return Object.entries(parsed).flatMap(([key, inner]) => {
    const within = findNodes(inner, kind);
    // A key of a node's name holds a node of that kind.
    return key === kind ? [inner as Extract<Node, Record<Kind, unknown>>[Kind], ...within] : within;
  });
}

/** The last word of a name that may bear a schema. */
export function lastName(names: readonly Node[] | undefined): string {
  const last = names?.at(-1);
  return last && 'String' in last ? (last.String.sval ?? '') : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
