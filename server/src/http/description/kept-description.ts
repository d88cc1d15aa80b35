/**
 * The description as `npm run docs` has written it down, at the address of this service. To make it of the routes takes
 * seconds, in which a process would answer nothing else.
 */
import { readFileSync } from 'node:fs';
import { DOCS_FOLDER } from '../guides-folder.ts';
import { moveCurl } from '../samples.ts';
import { type Description, jsonOf, listDescribed } from './document.ts';
import type { Parted, Shown } from './examples.ts';

const read = <T>(name: string) => JSON.parse(readFileSync(`${DOCS_FOLDER}${name}.json`, 'utf8')) as T;

export function readDescription(publicUrl: string): Parted<Description> {
  // Written by this very release.
  const description = read<Description>('openapi');
  const examples = read<Record<string, Shown>>('openapi-examples');
  description.servers = [{ url: publicUrl }];
  for (const shown of Object.values(examples))
    for (const sample of shown.samples)
      if (sample.lang === 'Shell') sample.source = moveCurl(sample.source, publicUrl);
  return { description, examples };
}

/** With its examples where they are shown, as the reference page wants them. */
export function joinExamples({ description, examples }: Parted<Description>): Description {
  const whole = JSON.parse(JSON.stringify(description)) as Description;
  for (const { one } of listDescribed(whole.paths)) {
    const shown = examples[one.operationId];
    if (!shown) continue;
    one['x-codeSamples'] = shown.samples;
    const body = jsonOf(one.requestBody);
    if (!body || !shown.request) continue;
    delete body.examples;
    body.example = shown.request.value;
  }
  return whole;
}
