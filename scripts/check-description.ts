/** The API's description, as `npm run docs` wrote it, against the rules of redocly.yaml and two of our own. */
import { readFileSync } from 'node:fs';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { checkSdkNames } from './check-sdk-names.ts';
import { checkShapes } from './check-shapes.ts';
import { type Described, type Description, listDescribed, textOfAnswer } from './described.ts';
import { ROOT } from './source-files.ts';

type Answering = Pick<Described, 'responses'> & {
  requestBody?: { content: Record<string, { examples?: object }> };
};
type AnsweringPaths = Record<string, Record<string, Answering>>;

const FILE = `${ROOT}/docs/openapi.json`;

export async function checkDescription(): Promise<string[]> {
  const source = readFileSync(FILE, 'utf8');
  // The file is generated, and its shape is known.
  const description = JSON.parse(source) as Description;
  const { paths } = description;
  return [
    ...(await lint(source)),
    ...findWithoutExample(paths),
    ...findWithoutCode(description),
    ...checkSdkNames(description),
    ...checkShapes(description),
  ];
}

/** What a line of an upload is: its body is no JSON, so that the operation names it in words alone. */
const LINE_OF_UPLOAD = '#/components/schemas/ImportLine';

async function lint(source: string): Promise<string[]> {
  const config = await loadConfig({ configPath: `${ROOT}/redocly.yaml` });
  const problems = await lintFromString({ source, absoluteRef: FILE, config });
  return problems
    .filter(({ location }) => location[0]?.pointer !== LINE_OF_UPLOAD)
    .map(
      ({ ruleId, message, location }) =>
        `docs/openapi.json ${location[0]?.pointer ?? ''}: ${message} (${ruleId})`,
    );
}

/** Operations with a JSON body that show none. */
export function findWithoutExample(paths: AnsweringPaths): string[] {
  return list(paths).flatMap(([name, { requestBody }]) => {
    const json = requestBody?.content['application/json'];
    return json && json.examples === undefined ? [`${name} has a body and no example of one`] : [];
  });
}

/** Refusals that do not say with which codes of docs/errors.md. */
export function findWithoutCode(
  description: Pick<Description, 'components'> & { paths: AnsweringPaths },
): string[] {
  return list(description.paths).flatMap(([name, { responses }]) =>
    Object.entries(responses)
      .filter(
        ([status, answer]) => status >= '400' && !/^`\w+`(, `\w+`)*$/.test(textOfAnswer(description, answer)),
      )
      .map(([status]) => `${name} does not say with which codes it answers ${status}`),
  );
}

function list(paths: AnsweringPaths): Array<[string, Answering]> {
  return listDescribed(paths).map(({ path, method, one }) => [`${method.toUpperCase()} ${path}`, one]);
}
