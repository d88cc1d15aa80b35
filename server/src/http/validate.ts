/** How requests are checked: by functions compiled from their schemas, each at its first use. */
import AjvCompiler from '@fastify/ajv-compiler';

type Build = ReturnType<typeof AjvCompiler>;
type Compile = ReturnType<Build>;
type Validate = ReturnType<Compile>;

/**
 * Builds validators for Fastify. Reading all shared schemas and compiling those of all operations takes a tenth of a start
 * and stays in memory, and a process is asked for few of them.
 */
export function createValidators(): Build {
  // Fastify asks for each part of the application, and what reads the same schemas is the same.
  const build = AjvCompiler();
  return (components, options) => {
    let compile: Compile | null = null;
    return (route) =>
      compileLater(() => {
        compile ??= build(components, options);
        return compile(route);
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
