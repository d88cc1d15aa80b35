/** Checks every answer of the HTTP tests against the schema that /openapi.json gives for it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { toCanonicalUrl } from '../../src/http/rewrite.ts';

interface Checked {
  status: number;
  text: string;
  body: unknown;
}

export interface AnswerChecker {
  /** Throws when the answer's status is not documented or its body does not fit. */
  check(method: string, path: string, answer: Checked): void;
}

interface Operation {
  responses?: Record<string, { $ref?: string; content?: Record<string, { schema?: unknown }> }>;
}

/** `description` is the parsed OpenAPI file. */
export function createAnswerChecker(description: object): AnswerChecker {
  const { paths } = description as { paths: Record<string, Record<string, Operation>> };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(JSON.parse(JSON.stringify(description)) as object, 'api.json');
  const patterns = Object.keys(paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
  }));
  return {
    check(method, url, answer) {
      const path = toCanonicalUrl(url).split('?')[0] ?? '';
      // A path without parameters wins over one that has them.
      const found = paths[path] ? path : patterns.find(({ pattern }) => pattern.test(path))?.path;
      const operation = found ? paths[found]?.[method.toLowerCase()] : undefined;
      if (!found || !operation) return;
      const response = operation.responses?.[String(answer.status)];
      if (!response)
        throw new Error(`${method} ${found} answered an undocumented ${answer.status}: ${answer.text}`);
      // A browser that is sent on reads no body.
      if (answer.status === 302) return;
      const place = response.$ref?.split('/').slice(1) ?? [
        ...['paths', found, method.toLowerCase(), 'responses', String(answer.status)],
      ];
      const pointer = [...place, 'content', 'application/json', 'schema']
        .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
        .join('/');
      const validate = ajv.getSchema(`api.json#/${pointer}`);
      if (!validate) throw new Error(`${method} ${found} ${answer.status} has no schema`);
      if (!validate(answer.body)) {
        throw new Error(
          `${method} ${found} ${answer.status}: ${ajv.errorsText(validate.errors)}\n${answer.text}`,
        );
      }
    },
  };
}
