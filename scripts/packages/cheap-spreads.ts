/**
 * Object spreads in the form that Node 20 runs fast. There a copy that is added to costs some microseconds for each member
 * that comes behind a spread, a hundred times what it costs in Node 22 (`bench/spreads.mjs`), and a request makes hundreds.
 * What is written here makes the same object, in the same order of evaluation, but adds to an object that is no copy.
 */
import type { Plugin } from 'rolldown';
import { parseSync } from 'rolldown/utils';

/** Named like nothing of ours or of a package. */
const MERGE = '__mergeOnto';
/**
 * `Object.assign` sets and a spread defines, which differs in one name: JSON may hold a member `__proto__`. Hoisted, since modules
 * that import each other may call before this one has run.
 */
const HELPER = `
function ${MERGE}(to, from) {
  return from != null && Object.hasOwn(from, "__proto__") ? { ...to, ...from } : Object.assign(to, from);
}
`;

interface Node {
  type: string;
  start: number;
  end: number;
}

interface Member extends Node {
  type: 'Property' | 'SpreadElement';
  kind?: 'init' | 'get' | 'set';
  method?: boolean;
  computed?: boolean;
  key?: Node & { name?: string; value?: unknown };
  argument?: Node;
}

/** A piece of the text that goes, and what comes in its place. */
interface Edit {
  start: number;
  end: number;
  text: string;
}

export function cheapSpreads(): Plugin {
  return {
    name: 'cheap-spreads',
    renderChunk: (code, { fileName }) => {
      const written = writeCheapSpreads(code, fileName);
      return written === code ? null : { code: written, map: null };
    },
  };
}

/** `code` with its object spreads in the fast form; `fileName` says by its ending how it is read. */
export function writeCheapSpreads(code: string, fileName: string): string {
  const { program, errors } = parseSync(fileName, code);
  if (errors[0]) throw new Error(`${fileName}: ${errors[0].message}`);
  const edits: Edit[] = [];
  visit(program, (members, literal) => edits.push(...rewrite(code, members, literal)));
  if (edits.length === 0) return code;
  return apply(code, edits) + HELPER;
}

function visit(node: unknown, found: (members: Member[], literal: Node) => void): void {
  if (Array.isArray(node)) {
    for (const one of node) visit(one, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, properties } = node as { type?: string; properties?: Member[] };
  if (type === 'ObjectExpression' && properties) found(properties, node as Node);
  for (const value of Object.values(node)) visit(value, found);
}

function rewrite(code: string, members: Member[], literal: Node): Edit[] {
  const first = members.findIndex(({ type }) => type === 'SpreadElement');
  // What comes before a spread is cheap.
  if (first === -1 || first === members.length - 1 || !members.every((one) => isPlain(code, one))) return [];
  const runs = toRuns(members.slice(first));
  const edits: Edit[] = [{ start: literal.start, end: literal.start, text: `${MERGE}(`.repeat(runs.length) }];
  // Where what stands already ends, and how it is closed: the literal that begins, then one call after the other.
  let end = members[first - 1]?.end ?? literal.start + 1;
  let closing = '}';
  for (const run of runs) {
    const [head, last] = [run[0] as Member, run.at(-1) as Member];
    const opening = head.type === 'SpreadElement' ? '' : '{ ';
    edits.push({ start: end, end: head.argument?.start ?? head.start, text: `${closing}, ${opening}` });
    end = last.end;
    closing = opening ? ' })' : ')';
  }
  edits.push({ start: end, end: literal.end, text: closing });
  return edits;
}

/** Members side by side together, each spread alone. */
function toRuns(members: Member[]): Member[][] {
  const runs: Member[][] = [];
  for (const member of members) {
    const last = runs.at(-1);
    if (member.type === 'Property' && last?.[0]?.type === 'Property') last.push(member);
    else runs.push([member]);
  }
  return runs;
}

/** Whether a member means the same in another literal: not what asks for its own object, nor what may name its prototype. */
function isPlain(code: string, member: Member): boolean {
  if (member.type === 'SpreadElement') return true;
  const { kind, method, computed, key, start, end } = member;
  if (kind !== 'init' || computed) return false;
  if (key?.name === '__proto__' || key?.value === '__proto__') return false;
  return !(method && code.slice(start, end).includes('super'));
}

function apply(code: string, edits: Edit[]): string {
  // Of two at one place the outer literal's comes first: it was found first, and sorting keeps that order.
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text } of sorted) {
    parts.push(code.slice(at, start), text);
    at = end;
  }
  return parts.join('') + code.slice(at);
}
