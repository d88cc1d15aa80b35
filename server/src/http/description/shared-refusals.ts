/** R2: refusals that many operations answer with the same codes are written once. */
import { type Answer, type Description, listDescribed, nameOf } from './document.ts';

/** Operations from which on a set of codes is worth a name. */
const USES_MIN = 5;

export function shareRefusals({ components, paths }: Description): void {
  const uses = new Map<string, number>();
  const all = listDescribed(paths).flatMap(({ one }) =>
    Object.entries(one.responses)
      .filter(([status, { $ref }]) => status >= '400' && $ref !== undefined)
      .map(([status, answer]) => ({ one, status, answer, key: `${status} ${answer.description}` })),
  );
  for (const { key } of all) uses.set(key, (uses.get(key) ?? 0) + 1);
  const names = new Map<string, string>();
  for (const { one, status, answer, key } of all) {
    if ((uses.get(key) ?? 0) < USES_MIN) continue;
    const name = names.get(key) ?? nameNext(names, status);
    names.set(key, name);
    components.responses = { ...components.responses, [name]: describe(components.responses, answer) };
    one.responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

/** `Refusal403`, `Refusal403B`… */
function nameNext(names: ReadonlyMap<string, string>, status: string): string {
  const taken = [...names.values()].filter((name) => name.startsWith(`Refusal${status}`)).length;
  return `Refusal${status}${taken === 0 ? '' : String.fromCharCode('A'.charCodeAt(0) + taken)}`;
}

function describe(shared: Record<string, Answer> = {}, answer: Answer): Answer {
  const { description = '' } = answer;
  return { ...shared[nameOf(answer) ?? ''], description };
}
