/** R2: what operations show stands in a file of its own, `/openapi-examples.json`; the description points into it. */
import { type CodeSample, type Description, jsonOf, listDescribed } from './document.ts';

const FILE = 'openapi-examples.json';

/** Of one operation: a body that validates, and how it is called. */
export interface Shown {
  request?: { value: unknown };
  samples: readonly CodeSample[];
}

export interface Parted<T> {
  description: T;
  /** By operation id. */
  examples: Record<string, Shown>;
}

/** `whole` holds its examples where they are shown, as the reference page wants them, and stays as it is. */
export function partExamples<T extends object>(whole: T): Parted<T> {
  // Our own routes' description, whose form is known.
  const description = JSON.parse(JSON.stringify(whole)) as Description;
  const examples: Record<string, Shown> = {};
  for (const { one } of listDescribed(description.paths)) {
    const { operationId, 'x-codeSamples': samples } = one;
    if (!Array.isArray(samples)) continue;
    const body = jsonOf(one.requestBody);
    const value = body?.example;
    examples[operationId] = { ...(value === undefined ? {} : { request: { value } }), samples };
    one['x-codeSamples'] = { $ref: `${FILE}#/${operationId}/samples` };
    if (!body || value === undefined) continue;
    delete body.example;
    body.examples = { request: { $ref: `${FILE}#/${operationId}/request` } };
  }
  return { description: description as unknown as T, examples };
}
