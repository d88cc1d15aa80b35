/** How answers are written: by functions compiled from their schemas, each at its first use. */
import SerializerSelector from '@fastify/fast-json-stringify-compiler';

type Build = ReturnType<typeof SerializerSelector>;
type Serialise = (answer: unknown) => string;

/**
 * Builds serialisers for Fastify. Compiling a thousand of them before the service is ready costs seconds and
 * half its memory, and most belong to refusals that never come; all of these share one function.
 */
export function createSerialisers(...[components, options]: Parameters<Build>): ReturnType<Build> {
  const compile = SerializerSelector()(components, options);
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
