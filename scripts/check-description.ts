/** The API's description, as `npm run docs` wrote it, against the rules of redocly.yaml and two of our own. */
import { readFileSync } from 'node:fs';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { ROOT } from './source-files.ts';

const FILE = `${ROOT}/docs/openapi.json`;

interface Described {
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { description?: string }>;
}
export type Paths = Record<string, Record<string, Described>>;

export async function checkDescription(): Promise<string[]> {
  const source = readFileSync(FILE, 'utf8');
  // The file is generated, and its shape is known.
  const { paths } = JSON.parse(source) as { paths: Paths };
  return [...(await lint(source)), ...findWithoutExample(paths), ...findWithoutCode(paths)];
}

async function lint(source: string): Promise<string[]> {
  const config = await loadConfig({ configPath: `${ROOT}/redocly.yaml` });
  const problems = await lintFromString({ source, absoluteRef: FILE, config });
  return problems.map(
    ({ ruleId, message, location }) =>
      `docs/openapi.json ${location[0]?.pointer ?? ''}: ${message} (${ruleId})`,
  );
}

/** Operations with a JSON body that show none. */
export function findWithoutExample(paths: Paths): string[] {
  return list(paths).flatMap(([name, { requestBody }]) => {
    const json = requestBody?.content['application/json'];
    return json && json.example === undefined ? [`${name} has a body and no example of one`] : [];
  });
}

/** Refusals that do not say with which codes of docs/errors.md. */
export function findWithoutCode(paths: Paths): string[] {
  return list(paths).flatMap(([name, { responses }]) =>
    Object.entries(responses)
      .filter(([status, { description }]) => status >= '400' && !/^`\w+`(, `\w+`)*$/.test(description ?? ''))
      .map(([status]) => `${name} does not say with which codes it answers ${status}`),
  );
}

function list(paths: Paths): Array<[string, Described]> {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]): [string, Described] => [
      `${method.toUpperCase()} ${path}`,
      one,
    ]),
  );
}
