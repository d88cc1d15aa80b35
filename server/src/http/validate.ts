/** How requests are checked: by functions compiled from their schemas, each at its first use. */
import AjvCompiler from '@fastify/ajv-compiler';
import { CompiledOnce } from './compiled-once.ts';

type Build = ReturnType<typeof AjvCompiler>;
type Compile = ReturnType<Build>;
type Validate = ReturnType<Compile>;

// What reads the same schemas by the same options is the same, for each part of the application and beside it.
const build = AjvCompiler();
const compiled = new CompiledOnce<Validate>();

/**
 * Builds validators for Fastify. Reading all shared schemas and compiling those of all operations takes a tenth of a start
 * and stays in memory, and a process is asked for few of them.
 */
export function createValidators(): Build {
  return (given, options) => {
    const components = given as Record<string, unknown>;
    let compile: Compile | null = null;
    return (route) =>
      compileLater(() => {
        const { schema } = route as unknown as { schema: unknown };
        return compiled.take(schema, components, () => {
          compile ??= build(given, options);
          return compile(route);
        });
      });
  };
}

function compileLater(compile: () => Validate): Validate {
  let validate: Validate | null = null;
  const lazily = (value: unknown) => {
    validate ??= compile();
    const isValid = validate(value);
    // Fastify reads what was wrong from the function itself.
    lazily.errors = validate.errors ?? null;
    return isValid;
  };
  lazily.errors = null as Validate['errors'];
  // Of Ajv's functions Fastify uses no more.
  return lazily as Validate;
}
