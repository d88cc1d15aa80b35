/** How answers are written: by functions compiled from their schemas, each at its first use. */
import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import { CompiledOnce } from './compiled-once.ts';

type Build = ReturnType<typeof SerializerSelector>;
type Serialise = (answer: unknown) => string;

const compiled = new CompiledOnce<Serialise>();

/**
 * Builds serialisers for Fastify. Compiling a thousand of them before the service is ready costs seconds and
 * half its memory, and most belong to refusals that never come; all of these share one function.
 */
export function createSerialisers(...[given, options]: Parameters<Build>): ReturnType<Build> {
  const components = (given ?? {}) as Record<string, unknown>;
  const build = SerializerSelector();
  // The compiler reads all components that it is given, for each function anew.
  const compile: ReturnType<Build> = (route) =>
    compiled.take(route.schema, components, (reached) => build(reached, options)(route));
  const references = new Map<string, Serialise>();
  return (route) => {
    // Fastify hands over plain JSON schemas and takes a function of any answer.
    const { $ref } = route.schema as { $ref?: string };
    if ($ref === undefined) return compileLater(() => compile(route));
    const shared = references.get($ref) ?? compileLater(() => compile({ ...route, schema: { $ref } }));
    references.set($ref, shared);
    return shared;
  };
}

function compileLater(compile: () => Serialise): Serialise {
  let serialise: Serialise | null = null;
  return (answer) => {
    serialise ??= compile();
    return serialise(answer);
  };
}
