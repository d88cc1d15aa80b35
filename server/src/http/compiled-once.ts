/** What schemas are compiled to, once in a process. */
import { createHash } from 'node:crypto';

type Components = Readonly<Record<string, unknown>>;

/** Of all components those that `schema` names, and those that these name. */
export function reachComponents(schema: unknown, components: Components): Components {
  const reached: Record<string, unknown> = {};
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== 'object' || part === null) continue;
    for (const [key, value] of Object.entries(part)) {
      const name = key === '$ref' && typeof value === 'string' ? (value.split('#')[0] ?? '') : null;
      if (name === null) open.push(value);
      else if (!(name in reached) && components[name] !== undefined) {
        reached[name] = components[name];
        open.push(components[name]);
      }
    }
  }
  return reached;
}

/**
 * Answers what `compile` made of a schema and the components that it reaches, once for all that are equal. Services beside
 * each other in one process compile the same schemas: for the tests, which start hundreds, that is a third of their work.
 */
export class CompiledOnce<T> {
  readonly #kept = new Map<string, T>();

  take(schema: unknown, components: Components, compile: (reached: Components) => T): T {
    const reached = reachComponents(schema, components);
    const name = createHash('sha256')
      .update(JSON.stringify([schema, reached]))
      .digest('base64');
    const made = this.#kept.get(name) ?? compile(reached);
    this.#kept.set(name, made);
    return made;
  }
}
