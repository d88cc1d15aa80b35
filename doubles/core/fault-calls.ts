import { BadCall, type Body, isCount, isHash, isTexts, need, onlyKnows } from './checks.ts';
import type { Do, Fault } from './faults.ts';
import type { World } from './world.ts';

/** Each thing to do, and what goes with it. */
const DOINGS: Readonly<Record<string, (value: unknown) => boolean>> = {
  drop: (value) => value === 'before' || value === 'after',
  delayMs: isCount,
  stallMs: isCount,
  cut: (value) => value === true,
  html: (value) => value === true,
  status: (value) => isCount(value) && value >= 400 && value <= 599,
  header: isTexts,
  take: isTaking,
  set: isHash,
};
const WITH_STATUS = ['code', 'effect'];

/** Another amount, another currency, or both. */
function isTaking(value: unknown): boolean {
  if (!isHash(value) || Object.keys(value).length === 0) return false;
  const { amount, currency, ...others } = value;
  return (
    Object.keys(others).length === 0 &&
    (amount === undefined || isCount(amount)) &&
    (currency === undefined || (typeof currency === 'string' && CURRENCY.test(currency)))
  );
}

const CURRENCY = /^[a-z]{3}$/i;

export function addFault(world: World, body: Body): object {
  onlyKnows(body, ['match', 'do', 'times']);
  const match = body.match ?? {};
  need(isHash(match), 'match must be an object');
  checkMatch(match);
  need(isHash(body.do), 'do is missing');
  checkDo(body.do);
  need(
    body.times === undefined || (isCount(body.times) && body.times > 0),
    'times must be a whole number from 1',
  );
  const id = `flt_${world.count('faults')}`;
  world.store.put<Fault>('fault', id, {
    id,
    match: match as Fault['match'],
    do: body.do as Do,
    ...(body.times === undefined ? {} : { times: body.times }),
    seen: 0,
    met: 0,
    keys: [],
  });
  return { id };
}

function checkMatch(match: Body): void {
  onlyKnows(match, ['account', 'method', 'path', 'metadata', 'ordinal', 'share'], 'match.');
  for (const name of ['account', 'method', 'path'] as const) {
    need(match[name] === undefined || typeof match[name] === 'string', `match.${name} must be a text`);
  }
  need(match.metadata === undefined || isTexts(match.metadata), 'match.metadata must hold texts');
  const { ordinal, share } = match;
  need(
    ordinal === undefined || (Array.isArray(ordinal) && ordinal.every(isCount)),
    'match.ordinal must be a list of numbers',
  );
  need(
    share === undefined || (typeof share === 'number' && share >= 0 && share <= 1),
    'match.share must be from 0 to 1',
  );
}

function checkDo(doing: Body): void {
  onlyKnows(doing, [...Object.keys(DOINGS), ...WITH_STATUS], 'do.');
  const [name, ...others] = Object.keys(doing).filter((one) => !WITH_STATUS.includes(one));
  need(name !== undefined && others.length === 0, `do must name one of ${Object.keys(DOINGS).join(', ')}`);
  need(DOINGS[name]?.(doing[name]) === true, `do.${name} is wrong`);
  if (name !== 'status') need(!('code' in doing) && !('effect' in doing), 'code and effect go with status');
  need(doing.effect === undefined || typeof doing.effect === 'boolean', 'do.effect must be true or false');
}

export function removeFault(world: World, id: string): object {
  if (!world.store.get('fault', id)) throw new BadCall(`no fault ${id}`);
  world.store.remove('fault', id);
  return {};
}
