/** Lists as files, as tests ask for them and read them. */
import { expect } from 'vitest';
import type { Answer, Keys, TestApp } from './harness.ts';

export const CREATE_EXPORT = '/v0/exports/create';

export interface Wanted {
  resource?: string;
  query?: string;
  ids?: string[];
  columns?: string[];
  format?: string;
}

export interface Exporting {
  ask(wanted?: Wanted, keys?: Keys): Promise<Answer>;
  /** Answers the id of an export that has begun. */
  begin(wanted?: Wanted): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is compared with the description.
  show(id: string): Promise<any>;
  fetchFile(url: string): Promise<string>;
  /** The file of an export that runs to its end. */
  exportAll(wanted?: Wanted): Promise<string>;
}

export function createExporting(app: TestApp): Exporting {
  const exporting: Exporting = {
    ask: (wanted = {}, keys = 'secret') =>
      app.test.post(CREATE_EXPORT, { kind: 'list', resource: 'orders', format: 'csv', ...wanted }, { keys }),
    async begin(wanted) {
      const { status, body } = await exporting.ask(wanted);
      expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
      return body.data.export.id;
    },
    show: async (id) => (await app.test.get(`/v0/exports/${id}`)).body.data.export,
    async fetchFile(url) {
      const got = await app.app.inject({ url: new URL(url).pathname });
      expect(got.statusCode).toBe(200);
      return got.payload;
    },
    async exportAll(wanted) {
      const id = await exporting.begin(wanted);
      await app.wired.worker.runDue();
      const shown = await exporting.show(id);
      expect(shown).toMatchObject({ status: 'done', reason: null, rows: shown.total });
      return exporting.fetchFile(shown.url);
    },
  };
  return exporting;
}

/** A CSV as a spreadsheet reads it. */
export function parseCsv(text: string): Array<Record<string, string>> {
  expect(text.startsWith('\uFEFF')).toBe(true);
  const lines = [...text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)];
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of lines) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  const [header = [], ...others] = rows.slice(0, -1);
  return others.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ''])));
}

export const parseLines = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
