/** Lists, newest first, and the search, which lags. */

import type { World } from '../../../core/world.ts';
import { type Account, type Kind, type Kinds, listRows, NAMES } from '../world/rows.ts';
import type { Params } from './check-params.ts';
import { isInvalid, isMissing } from './errors.ts';

const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 100;
/** How long a change stays unknown to the search. */
const SEARCH_LAG_MS = 60_000;

type Data = Record<string, unknown> & { id: string };

export interface ListOf {
  kind: Kind;
  /** Parameters that are equal to a field of the same name, or of the one that is said. */
  filters?: Readonly<Record<string, string>>;
}

export function toPage(world: World, account: Account, list: ListOf, params: Params, url: string): object {
  const rows = listRows(world, list.kind, account) as unknown as { data: Data }[];
  const all = rows.map(({ data }) => data).filter((data) => !data.deleted && fits(data, list, params));
  const limit = readLimit(params);
  const { starting_after: after, ending_before: before } = params;
  if (after !== undefined && before !== undefined) {
    throw isInvalid(
      'You may only specify one of these parameters: ending_before, starting_after.',
      'ending_before',
    );
  }
  const cursor = after ?? before;
  const at = cursor === undefined ? -1 : rows.findIndex(({ data }) => data.id === cursor);
  if (cursor !== undefined && at === -1) {
    const param = after === undefined ? 'ending_before' : 'starting_after';
    throw isMissing(NAMES[list.kind], String(cursor), param);
  }
  const order = new Map(rows.map(({ data }, index) => [data.id, index]));
  const place = (data: Data): number => order.get(data.id) ?? 0;
  if (before !== undefined) {
    const newer = all.filter((data) => place(data) < at);
    return { object: 'list', data: newer.slice(-limit), has_more: newer.length > limit, url };
  }
  const rest = cursor === undefined ? all : all.filter((data) => place(data) > at);
  return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit, url };
}

function readLimit(params: Params): number {
  const limit = params.limit === undefined ? LIMIT_DEFAULT : Number(params.limit);
  if (limit < 1) {
    throw isInvalid(`This value must be greater than or equal to 1.`, 'limit', 'parameter_invalid_integer');
  }
  if (limit > LIMIT_MAX) {
    const message = `This value must be less than or equal to ${LIMIT_MAX} (it currently is '${limit}').`;
    throw isInvalid(message, 'limit', 'parameter_invalid_integer');
  }
  return limit;
}

function fits(data: Data, { filters = {} }: ListOf, params: Params): boolean {
  if (!isWithin(Number(data.created), params.created)) return false;
  return Object.entries(filters).every(([name, field]) => {
    const asked = params[name];
    if (asked === undefined) return true;
    return Array.isArray(asked)
      ? asked.some((one) => isLike(String(data[field]), String(one)))
      : isLike(String(data[field]), String(asked));
  });
}

function isLike(value: string, asked: string): boolean {
  return asked.endsWith('.*') ? value.startsWith(asked.slice(0, -1)) : value === asked;
}

function isWithin(at: number, asked: unknown): boolean {
  if (asked === undefined) return true;
  if (typeof asked === 'number') return at === asked;
  const { gt, gte, lt, lte } = asked as Record<string, number | undefined>;
  return !(
    (gt !== undefined && at <= gt) ||
    (gte !== undefined && at < gte) ||
    (lt !== undefined && at >= lt) ||
    (lte !== undefined && at > lte)
  );
}

/** `status:"succeeded" AND metadata["cf_order"]:"7" AND created>1700000000` */
export function search(
  world: World,
  account: Account,
  kind: keyof Kinds,
  params: Params,
  url: string,
): object {
  const query = String(params.query);
  if (/\bAND\b/.test(query) && /\bOR\b/.test(query)) {
    throw isInvalid('You cannot combine AND and OR in one query.', 'query');
  }
  const isAny = /\sOR\s/.test(query);
  const clauses = query.split(/\s+(?:AND|OR)\s+/).map((clause) => readClause(clause.trim()));
  const found = listRows(world, kind, account)
    .filter((row) => row.changedMs <= world.nowMs - SEARCH_LAG_MS)
    .map((row) => row.data as unknown as Data)
    .filter((data) =>
      isAny ? clauses.some((fitsOne) => fitsOne(data)) : clauses.every((fitsOne) => fitsOne(data)),
    );
  const limit = readLimit(params);
  const start =
    params.page === undefined ? 0 : Number(Buffer.from(String(params.page), 'base64url').toString());
  const end = start + limit;
  const hasMore = found.length > end;
  const next = hasMore ? Buffer.from(String(end)).toString('base64url') : null;
  return { object: 'search_result', data: found.slice(start, end), has_more: hasMore, next_page: next, url };
}

function readClause(clause: string): (data: Data) => boolean {
  const match =
    /^(-?)([a-z_]+)(?:\[["']([^"']+)["']\])?\s*(:|~|<=|>=|<|>)\s*(?:"([^"]*)"|'([^']*)'|(\S+))$/.exec(clause);
  if (!match) throw isInvalid(`We were unable to parse your search query: ${clause}`, 'query');
  const [, not, field = '', key, operator = ':', double, single, bare] = match;
  const asked = double ?? single ?? bare ?? '';
  return (data) => {
    const value = key === undefined ? data[field] : (data[field] as Record<string, string> | null)?.[key];
    return compare(value, operator, asked) !== (not === '-');
  };
}

function compare(value: unknown, operator: string, asked: string): boolean {
  if (asked === 'null') return value === null || value === undefined;
  const text = String(value ?? '');
  switch (operator) {
    case '~':
      return text.toLowerCase().includes(asked.toLowerCase());
    case '<':
      return Number(value) < Number(asked);
    case '<=':
      return Number(value) <= Number(asked);
    case '>':
      return Number(value) > Number(asked);
    case '>=':
      return Number(value) >= Number(asked);
    default:
      return text.toLowerCase() === asked.toLowerCase();
  }
}
