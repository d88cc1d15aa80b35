import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { ID_OR_DOCUMENT_NUMBER, ID_OR_NUMBER } from '../domain/numbers.ts';
import { fillPath } from './samples.ts';

it.each([ID_OR_NUMBER, ID_OR_DOCUMENT_NUMBER])('X14 a sample names what %s lets through', (pattern) => {
  const params = Type.Object({ thing: Type.String({ pattern }) });
  expect(fillPath({ path: '/:thing', params }).slice(1)).toMatch(new RegExp(pattern));
});
