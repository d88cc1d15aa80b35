/** A list's query that comes as a text within a body: held to the very schema by which the list's own requests are. */
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { Refusal } from '../domain/errors.ts';
import { toIssues } from '../resources/input-issues.schema.ts';
import { coerceQuery, parseQueryString, queryProperties } from './query.ts';

/** Throws invalid_input, naming the parameter within the field `query`. */
export function createQueryCheck(request: FastifyRequest): (schema: TSchema, text: string) => void {
  return (schema, text) => {
    const query = naming(() => coerceQuery(queryProperties(schema), parseQueryString(text)));
    const isValid = request.compileValidationSchema(schema, 'querystring');
    if (isValid(query)) return;
    const [first, ...others] = toIssues(isValid.errors ?? []).map(withinQuery);
    throw new Refusal('invalid_input', {
      message: `${first?.path ?? 'query'} ${first?.message ?? 'is not valid'}`,
      details: first ? [first, ...others] : [],
    });
  };
}

/** What a list refuses of its query, told of the field that held the query. */
export function naming<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw nameWithinQuery(error);
  }
}

export function nameWithinQuery(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.code !== 'invalid_input' || !error.details) return error;
  const details = error.details.map(withinQuery);
  const [first] = details;
  return new Refusal('invalid_input', {
    details,
    message: first ? `${first.path} ${first.message}` : error.message,
    cause: error,
  });
}

function withinQuery<T extends { path: string }>(issue: T): T {
  return { ...issue, path: issue.path === '' ? 'query' : `query.${issue.path}` };
}
