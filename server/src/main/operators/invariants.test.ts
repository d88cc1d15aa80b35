import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { runCommand } from '../../../test/support/run-command.ts';
import { INVARIANTS } from '../../invariants/find-violations.ts';

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

  it('prints the row that offends and ends with 6', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('create table loose (share real)');
    await client.end();
    const { code, lines } = await run('6', '7');
    expect(code).toBe(6);
    expect(lines.filter((line) => line.startsWith('BROKEN'))).toEqual([
      'BROKEN  6  no column holds a fraction, so that every amount is a whole number',
    ]);
    expect(lines[1]).toContain('{"tableName":"loose","columnName":"share","dataType":"real"}');
    expect(lines.slice(2).every((line) => /^holds\s+[67] /.test(line))).toBe(true);
  });

  it('asks with --since of what was written since then alone', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const id = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e01';
    await client.query(`insert into workspaces (id, name, created_at) values ($1, 'One', 1)`, [id]);
    await client.query(`insert into stores (workspace_id, test_mode) values ($1, true)`, [id]);
    // Due, with no delivery that would wait for it.
    await client.query(
      `insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms)
        values ($1, true, 'deliver_webhook', $1, 9e12, 9e12)`,
      [id],
    );
    const whole = await run('24');
    const before = await run('--since', '25h', '24');
    await client.query(
      `insert into events (workspace_id, test_mode, id, type, entity_id, entity_version, created_at, body, idempotency_key)
        values ($1, true, $1, 'x', $1, 1, 1, '{}', $1)`,
      [id],
    );
    const after = await run('--since', '25h', '24');
    await client.query('delete from due_work');
    await client.end();
    expect([whole.code, before.code, after.code, before.errors]).toEqual([6, 0, 6, '']);
    expect(before.lines.every((line) => line.startsWith('holds '))).toBe(true);
  });

  it('tells how it is used when it is asked for no number', async () => {
    for (const words of [['seven'], ['--since', 'long'], ['--since', '2h', '--reports']]) {
      const { code, errors } = await run(...words);
      expect([words, code, errors]).toEqual([words, 2, expect.stringContaining('Usage: npm run invariants')]);
    }
  });
});
