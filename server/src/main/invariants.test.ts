import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { runCommand } from '../../test/support/run-command.ts';
import { INVARIANTS } from '../invariants/find-violations.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Runs the command over the database of this file. */
async function run(...numbers: string[]) {
  const { code, out, err } = await runCommand('invariants', numbers, { DATABASE_URL: database.url });
  return { code, lines: out.trimEnd().split('\n'), errors: err };
}

describe('npm run invariants', () => {
  it('prints a line for each invariant and ends with 0 while all hold', async () => {
    const { code, lines, errors } = await run();
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(lines).toHaveLength(INVARIANTS.length);
    expect(lines.every((line) => /^holds\s+\d+ {2}\S/.test(line))).toBe(true);
  });

  it('prints the row that offends and ends with 1', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('create table loose (share real)');
    await client.end();
    const { code, lines } = await run('6', '7');
    expect(code).toBe(1);
    expect(lines.filter((line) => line.startsWith('BROKEN'))).toEqual([
      'BROKEN  6  no column holds a fraction, so that every amount is a whole number',
    ]);
    expect(lines[1]).toContain('{"tableName":"loose","columnName":"share","dataType":"real"}');
    expect(lines.slice(2).every((line) => /^holds\s+[67] /.test(line))).toBe(true);
  });

  it('tells how it is used when it is asked for no number', async () => {
    const { code, errors } = await run('seven');
    expect(code).toBe(1);
    expect(errors).toContain('Usage: npm run invariants');
  });
});
