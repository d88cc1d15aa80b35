/** Object spreads in the bundle: another form, the same objects. */
import fc from 'fast-check';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { cheapSpreads, writeCheapSpreads } from '../../../scripts/packages/cheap-spreads.ts';

const MEMBER = fc.oneof(
  fc.constantFrom('a', 'b', 'c', "'d'", '7').map((name) => `${name}: note('${name.replaceAll("'", '')}')`),
  fc.constantFrom('a', 'e').map((name) => `${name}() { return '${name}'; }`),
  fc.constantFrom('given', 'holder').map((name) => `${name}`),
  fc
    .constantFrom('given', 'holder', 'null', 'undefined', "'text'", '(flag ? { f: note(1) } : {})')
    .map((of) => `...${of}`),
  fc.constantFrom("[note('k')]: 1", 'get g() { return note(2); }', '__proto__: null'),
);
const LITERAL = fc.letrec((tie) => ({
  literal: fc
    // A name once: V8 puts one that is written twice now here, now there.
    .uniqueArray(fc.oneof({ maxDepth: 3 }, MEMBER, tie('nested'), tie('spread')), {
      maxLength: 6,
      selector: toName,
    })
    .map((members) => `{ ${members.join(', ')}${members.length ? ' /* said */, ' : ''} }`),
  nested: tie('literal').map((one) => `n: ${String(one)}`),
  spread: tie('literal').map((one) => `...${String(one)}`),
})).literal;

function toName(member: unknown): string {
  const text = String(member);
  return text.startsWith('...') ? text : (/^(get )?'?(\w+)/.exec(text)?.[2] ?? text);
}

const OF_JSON = JSON.parse('{ "a": 1, "__proto__": { "isAdmin": true }, "z": [2] }');

function evaluate(code: string, flag: boolean): unknown {
  const noted: unknown[] = [];
  const note = (one: unknown) => noted.push(one);
  const made = new Function('note', 'given', 'holder', 'flag', code)(
    note,
    { a: 1, 4: 2, h: 3 },
    OF_JSON,
    flag,
  );
  return { noted, shown: show(made) };
}

/** All that can be told of an object: order and kind of its members, and what it is made of. */
function show(value: unknown): unknown {
  if (typeof value === 'function') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(Object.getOwnPropertyDescriptors(value));
  return [
    Object.getPrototypeOf(value) === Object.prototype,
    members.map(([name, { value: one, get, ...kind }]) => [name, show(one), typeof get, kind]),
  ];
}

describe('object spreads in the bundle', () => {
  it('make the same objects in the same order', () => {
    fc.assert(
      fc.property(LITERAL, fc.boolean(), (literal, flag) => {
        const code = `return ${String(literal)};`;
        const asModule = `export const make = (note, given, holder, flag) => { ${code} };`;
        const written = writeCheapSpreads(asModule, 'one.js').replace('export const make =', 'const make =');
        expect(evaluate(`${written}; return make(note, given, holder, flag);`, flag)).toEqual(
          evaluate(code, flag),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('define a member __proto__ and never set it', () => {
    const code = writeCheapSpreads('const make = (holder) => ({ ...{ b: 1 }, ...holder, c: 2 });', 'one.js');
    const made = new Function('holder', `${code}; return make(holder);`)(OF_JSON);
    expect(Object.keys(made)).toEqual(['b', 'a', '__proto__', 'z', 'c']);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(made.isAdmin).toBeUndefined();
  });

  it('have nothing behind a spread but where the name is only known when it runs', async () => {
    const build = await rolldown({
      input: 'one',
      plugins: [
        {
          name: 'one',
          resolveId: (id) => id,
          load: () => 'export const f = (o, k) => [{ ...o, b: 1 }, { ...o, [k]: 2 }];',
        },
        cheapSpreads(),
      ],
    });
    const { output } = await build.generate({ format: 'esm' });
    expect(output[0].code).toMatch(/__mergeOnto\(__mergeOnto\({\s*}, o\), {/);
    expect(output[0].code).toMatch(/\.\.\.o,\s+\[k\]: 2/);
    await build.close();
  });
});
