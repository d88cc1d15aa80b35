/**
 * Which codes of the error catalogue the tests have met in answers. Test files run in processes of their own,
 * so each code is a file in a folder of the run; the run's end compares them with the catalogue.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ERRORS, type ErrorCode } from '../../src/domain/errors.ts';

export interface CodeNotes {
  /** Notes the code of an answer's body, if it has one. */
  note(payload: string): void;
}

const CODE = /^\{"status":"error","error":\{.*?"code":"(\w+)"/s;

export function createCodeNotes(folder: string): CodeNotes {
  const noted = new Set<string>();
  return {
    note(payload) {
      const code = CODE.exec(payload)?.[1];
      if (code === undefined || noted.has(code)) return;
      noted.add(code);
      writeFileSync(path.join(folder, code), '');
    },
  };
}

/** Codes of the catalogue that no answer has had. */
export function listUnprovoked(folder: string): ErrorCode[] {
  const noted = new Set(readdirSync(folder));
  // The catalogue's own words.
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !noted.has(code));
}
