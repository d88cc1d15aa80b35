/** What operators do beside a running service, by the commands themselves. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../bin/commands.mjs';
import { deleteOldAccountRows } from '../../src/resources/accounts/old-account-rows.queries.ts';
import { endProcess, noteProcess } from '../../src/resources/installation/processes.queries.ts';
import { makeKeys } from '../support/assistant.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { runCommand } from '../support/run-command.ts';

const BIN = fileURLToPath(new URL('../../bin/counterfoil.mjs', import.meta.url));
const REMEMBERED_MS = 10_000;

let app: TestApp;
let env: Record<string, string>;
let grownOldMs = 0;

beforeAll(async () => {
  const through = async (url: string) => {
    env = { DATABASE_URL: url };
    return url;
  };
  const monotonicMs = () => performance.now() + grownOldMs;
  app = await createTestApp({}, undefined, { through, monotonicMs });
});
afterAll(() => app.close());

async function run(name: string, ...args: string[]) {
  const ran = await runCommand(name, args, env);
  grownOldMs += REMEMBERED_MS;
  return ran;
}

const write = (store = app.live) => store.post('/v0/products/create', { type: 'SoftwareKey', name: 'New' });

/** The last row that tells of the operator. */
async function readAudit(table: 'account_audit' | 'workspace_audit') {
  const text = `select row_to_json(a) as row from ${table} a order by created_at desc, id desc limit 1`;
  const { rows } = await app.service.pool.query<{ row: Record<string, unknown> }>(text);
  return rows[0]?.row;
}

describe('hold', () => {
  it('holds the whole until resume, and both stand in the audit log', async () => {
    const held = await run('hold', '--reason', 'the books differ', '--yes', '--json');
    expect([held.code, held.err]).toEqual([0, expect.stringContaining('npm run resume -- --same')]);
    expect(JSON.parse(held.out)).toEqual({ held: 'the whole installation', workspaceId: null, stores: 2 });
    await expectRefusal(write(), 503, 'store_held');
    expect((await write(app.test)).status).toBe(200);
    expect(await readAudit('account_audit')).toMatchObject({
      ...{ operation: 'holdInstallation', account_id: null },
      details: { why: 'the books differ' },
    });
    // Each workspace is told, for as long as audit rows are kept.
    await app.service.pool.query('update account_audit set created_at = created_at - 2 * 86400000');
    await deleteOldAccountRows(app.service.db, 100);
    const keys = await makeKeys(app, app.test, ['audit-log:read']);
    const told = await app.app.inject({
      url: '/v0/audit-log/list?operation=holdInstallation',
      headers: { 'x-svc-public-key': keys.publicKey, 'x-svc-secret-key': keys.secretKey },
    });
    expect(told.json().data.auditEntries).toMatchObject([
      { actor: 'operator', after: { why: 'the books differ' }, objectId: null },
    ]);
    const again = await run('hold', '--reason', 'twice', '--yes');
    expect([again.code, again.err.trim()]).toEqual([3, 'The whole installation is held already (operator).']);
    expect((await run('resume', '--same', '--yes')).code).toBe(0);
    expect((await write()).status).toBe(200);
    expect(await readAudit('account_audit')).toMatchObject({
      ...{ operation: 'resumeInstallation', details: { as: 'same' } },
    });
    expect((await run('resume', '--same')).code).toBe(3);
  });

  it('holds one workspace alone, whose audit log tells it', async () => {
    const { workspaceId } = app.live.scope;
    const held = await run('hold', '--reason', 'a guess', '--workspace', workspaceId.toUpperCase(), '--yes');
    expect([held.code, held.out]).toEqual([0, expect.stringContaining('1 live store(s)')]);
    await expectRefusal(write(), 503, 'store_held');
    const { rows } = await app.service.pool.query(
      'select workspace_id from stores where held_since is not null',
    );
    expect(rows).toEqual([{ workspace_id: workspaceId }]);
    expect(await readAudit('workspace_audit')).toMatchObject({
      ...{ workspace_id: workspaceId, actor: 'operator', operation: 'holdWorkspace', object_id: workspaceId },
      after: { why: 'a guess' },
    });
    expect((await run('hold', '--reason', 'b', '--workspace', workspaceId, '--yes')).code).toBe(3);
    expect((await run('resume', '--same', '--workspace', workspaceId)).code).toBe(0);
    expect((await write()).status).toBe(200);
    expect(await readAudit('workspace_audit')).toMatchObject({ operation: 'resumeWorkspace' });
  });

  it('does nothing unasked, and says by its code what was wrong', async () => {
    const unasked = await run('hold', '--reason', 'nobody is there');
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining('--yes')]);
    for (const args of [[], ['--reason', ' '], ['--what']])
      expect([args, (await run('hold', ...args, '--yes')).code]).toEqual([args, 2]);
    for (const [id, code] of Object.entries({ b: 2, '00000000-0000-4000-8000-000000000000': 4 })) {
      expect((await run('hold', '--reason', 'a', '--workspace', id, '--yes')).code).toBe(code);
      expect((await run('resume', '--same', '--workspace', id)).code).toBe(code);
    }
    expect((await write()).status).toBe(200);
    const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
    const away = await runCommand('hold', ['--reason', 'a', '--yes'], nowhere);
    expect([away.code, away.err]).toEqual([7, expect.stringMatching(/^The store cannot be used: /)]);
  });
});

it('X15 says by its code what an operator asked for in vain, and makes no store in an empty folder', async () => {
  const cases = [
    ['keys', ['roll', 'nobody'], 4],
    ['keys', ['revoke', 'nobody'], 4],
    ['keys', ['create', '--workspace', 'nobody'], 4],
    ['keys', ['create', '--scopes', 'nonsense:read'], 3],
    ['keys', ['nonsense'], 2],
    ['accounts', ['link', 'nobody@example.com'], 4],
    ['accounts', ['create', 'nobody'], 2],
    ['accounts', ['setup-link'], 3],
    ...[' ', 'a\nb', 'x'.repeat(101)].map((text) => ['keys', ['create', '--name', text], 2] as const),
    ['keys', ['roll', 'nobody', '--grace-hours', ''], 2],
    ['resume', ['--restored', '--skip', ''], 2],
    ['invariants', ['999'], 2],
  ] as const;
  for (const [name, args, code] of cases) {
    const ran = await run(name, ...args);
    expect([name, args, ran.code, ran.out]).toEqual([name, args, code, '']);
  }
  for (const [at, why] of [
    ['2026-11-29', 'must be a moment with its zone'],
    ['2099-01-01T00:00:00Z', 'is a moment that has not been yet'],
  ] as const)
    expect(await run('restore', '--from', '/none', '--to', '/none/new', '--at', at)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`--at ${why}`),
    });
  const listed = await run('keys', 'list', '--json');
  const rows = listed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows.map(({ publicKey }) => publicKey)).toContain(app.test.keys.publicKey);
  const made = await run('keys', 'create', '--name', 'Script', '--scopes', 'products:write', '--json');
  expect(made).toMatchObject({ code: 0, err: expect.stringContaining('reads what its scopes let it read') });
  const { publicKey } = JSON.parse(made.out);
  const revoke = async () => {
    expect((await run('keys', 'revoke', publicKey)).code).toBe(0);
    return (
      await app.service.pool.query('select revoked_at from api_keys where public_key = $1', [publicKey])
    ).rows;
  };
  expect(await revoke()).toEqual(await revoke());
  const accounts = (await run('accounts', 'list', '--json')).out.trim().split('\n').filter(Boolean);
  for (const line of accounts) expect(JSON.parse(line)).toHaveProperty('email');
  const DATA_DIR = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-empty-'));
  for (const [name, code] of [
    ['keys', 7],
    ['invariants', 7],
    ['doctor', 0],
  ] as const)
    expect([
      name,
      (await runCommand(name, name === 'keys' ? ['list'] : [], { DATA_DIR, DATABASE_URL: '' })).code,
    ]).toEqual([name, code]);
  expect(await readdir(DATA_DIR)).toEqual([]);
});

describe('processes', () => {
  it('lists those that live, as a table and as lines of JSON', async () => {
    const { db, ids } = app.service;
    expect(await run('processes')).toMatchObject({ code: 0, out: '' });
    const seen = { role: 'api', version: '0.1.0', host: 'shop-1', pool: 10 };
    const own = { ...seen, filesUrl: null };
    const [first, gone] = [ids.next(1), ids.next(2)];
    await noteProcess(db, { id: first, ...own });
    await noteProcess(db, { id: gone, ...own, host: 'shop-2' });
    await app.service.pool.query('update processes set seen_at = seen_at - 31000 where id = $1', [gone]);
    const { out } = await run('processes', '--json');
    const [row, ...others] = out.trim().split('\n');
    expect(others).toEqual([]);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(JSON.parse(row ?? '')).toEqual({ id: first, ...seen, files: 'DATA_DIR', since: time, seen: time });
    const [heads, line] = (await run('processes')).out.trim().split('\n');
    expect(heads?.split(/ +/)).toEqual(['ID', 'ROLE', 'VERSION', 'HOST', 'POOL', 'FILES', 'SINCE', 'SEEN']);
    expect(line?.split(/ +/).slice(0, 5)).toEqual([first, 'api', '0.1.0', 'shop-1', '10']);
    for (const id of [first, gone]) await endProcess(db, id);
  });
});

it('X15 tells what each command takes without doing it, and of words that are none what it would take', async () => {
  const ask = (...words: string[]) =>
    promisify(execFile)(process.execPath, [BIN, ...words], { env: { ...process.env, ...env } }).catch(
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    );
  for (const [name, { does }] of Object.entries(COMMANDS)) {
    const told = await ask(name, '--help');
    expect(told).not.toHaveProperty('code');
    expect(told.stdout).toContain(`Usage:\n  counterfoil ${name}`);
    expect(told.stdout).toContain(does);
  }
  const wrong = await ask('keys', 'list', '--bogus');
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain("Unknown option '--bogus'");
  expect(wrong.stderr).toContain('counterfoil keys revoke PUBLIC_KEY');
  expect(wrong.stderr).not.toContain('node:internal');
  expect(await ask('accounts', 'link', 'a@example.com', 'more')).toMatchObject({ code: 2, stdout: '' });
});

const parseLines = (out: string) =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('X15 tells each answer and each failure as JSON where asked, and with --quiet no talk', async () => {
  const cases = [
    ['migrate-command', [], 0, ['migrated']],
    ['config-command', [], 0, ['name', 'source', 'value']],
    ['invariants', ['7', '8'], 0, ['holds', 'name', 'number', 'row']],
    ['retention', ['status'], 0, ['behindMs', 'days', 'kept', 'stores']],
    ['retention', ['run'], 0, ['rows']],
    ['accounts', ['create', 'told@example.com'], 0, ['email', 'isMade']],
    ['accounts', ['disable', 'told@example.com'], 0, ['email', 'isDisabled']],
    ['keys', ['forget-sealed'], 0, ['forgotten']],
    ['storage', ['move', '--to', `file://${path.join(os.tmpdir(), randomUUID())}`], 0, ['copied', 'isDone']],
    ['storage', ['move', '--to', 'file:///proc/nowhere'], 3, ['error']],
    ['retention', ['put-back', '/no/such/day.jsonl.gz'], 2, ['error']],
    ['retention', ['put-back', BIN], 2, ['error']],
    ['backup', ['verify', '--from', '/no/such/folder'], 2, ['error']],
    ['backup', ['verify', '--from', os.tmpdir()], 2, ['error']],
    ['restore', ['--from', '/no/such/folder', '--to', '/no/such/other'], 2, ['error']],
    ['spread', ['status'], 3, ['error']],
    ['keys', ['revoke', 'nobody'], 4, ['error']],
    ['retention', ['status', '--bogus'], 2, ['error']],
  ] as const;
  for (const [name, words, code, fields] of cases) {
    const { code: ended, out, err } = await run(name, ...words, '--json', '--quiet');
    expect([name, words, ended, err]).toEqual([name, words, code, '']);
    const rows = parseLines(out);
    expect(rows.length, name).toBeGreaterThan(0);
    for (const row of rows) expect(Object.keys(row)).toEqual(expect.arrayContaining([...fields]));
    if (code !== 0)
      expect(rows).toEqual([
        { error: { code: expect.any(String), message: expect.any(String), details: [] } },
      ]);
  }
});

it('X15 refuses words that no command knows before anything is opened', async () => {
  const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
  for (const [name, words] of [
    ['start', ['--bogus']],
    ['processes', ['--bogus']],
    ['retention', ['run', '--bogus']],
    ['invariants', ['--bogus']],
    ['spread', ['status', '--bogus']],
    ['storage', ['move', '--bogus']],
    ['move', ['--bogus']],
    ['hold', ['--bogus']],
    ['upgrade-file', ['--bogus']],
    ['support-bundle', ['--bogus']],
    ['doctor', ['extra']],
    ['restore', ['a.tar.gz', 'b.tar.gz']],
  ] as const) {
    const { code, out, err } = await runCommand(name, [...words], nowhere);
    expect([name, code, out, err]).toEqual([name, 2, '', expect.stringContaining('Usage:')]);
  }
  expect((await run('retention', 'run', 'more')).code).toBe(2);
});

it('X15 ends with 2 where a file that is named cannot be opened', async () => {
  const told = (text: string) => ({ code: 2, out: '', err: expect.stringContaining(text) });
  expect(await run('backup', '--out', '/no/such/a.gz')).toMatchObject(told('/no/such is not there'));
  expect(await run('restore', os.tmpdir(), '--yes')).toMatchObject(told('is a folder: name the file'));
  const none = { code: 2, out: '', err: '/no/such/file.tar.gz cannot be read.\n' };
  expect(await run('restore', '/no/such/file.tar.gz')).toEqual(none);
  expect(await run('upgrade-file', '/no/such/file.tar.gz')).toEqual(none);
});

it('X15 tells of wrong words of a clone’s scripts what they take, in no stack', async () => {
  for (const [name, words] of [
    ['keys', ['list', '--bogus']],
    ['accounts', ['link', 'a@example.com', 'more']],
    ['resume', ['--bogus']],
    ['backup', ['--bogus']],
    ['restore', ['--bogus']],
    ['config-command', ['--bogus']],
    ['migrate-command', ['--bogus']],
  ] as const) {
    const { code, out, err } = await runCommand(name, [...words], env);
    expect([name, code, out]).toEqual([name, 2, '']);
    expect(err).toMatch(/^(Unknown option '--bogus'|Unexpected argument 'more')/);
    expect(err).toContain(`Usage:`);
    expect(err).not.toContain('node:internal');
  }
});

it('names each command in the help, in the clone’s scripts and where shells complete words', async () => {
  // The merchant's program, which goes on where ours ends, is not always built.
  const ask = async (...words: string[]): Promise<string> => {
    const exec = promisify(execFile)(process.execPath, [BIN, ...words]);
    return (await exec.catch((failed: { stdout: string }) => failed)).stdout;
  };
  const root = fileURLToPath(new URL('../../../package.json', import.meta.url));
  const { default: clone } = await import(root, { with: { type: 'json' } });
  const help = await ask('--help');
  for (const [name, { file }] of Object.entries(COMMANDS)) {
    expect(help).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    expect([name, clone.scripts[name]]).toEqual([name, expect.stringMatching(/\S/)]);
    if (!['start', 'doctor'].includes(name)) expect(clone.scripts[name]).toContain(`/run/${file}.js`);
  }
  const complete = async (...words: string[]) =>
    (await ask('__complete', '--', ...words)).split('\n').filter(Boolean);
  expect(await complete('ho')).toContain('hold');
  expect(await complete('re')).toEqual(expect.arrayContaining(['resume', 'restore', 'retention']));
  expect(await complete('orders', 'ho')).not.toContain('hold');
  expect(await complete('keys', 're')).toEqual(['reseal', 'revoke']);
  expect(await complete('keys', 'create', '--pub')).toEqual(['--publishable']);
  expect(await complete('keys', 'create', 're')).toEqual([]);
  expect(await complete('restore', '--')).toEqual(
    expect.arrayContaining(['--at', '--from', '--help', '--json', '--to']),
  );
  // Names of files, which the shell completes.
  expect(await complete('restore', '')).toEqual([]);
  expect(await complete('backup', '')).toEqual(['verify']);
});

it('every command of a clone tells how it is used, and does nothing', async () => {
  for (const [name, { file }] of Object.entries(COMMANDS)) {
    // Beside the store it is the merchant's, too: its help is the program's.
    if (name === 'doctor') continue;
    const told = await runCommand(file, ['--help'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect({ name, ...told }).toEqual({
      name,
      code: 0,
      out: expect.stringMatching(/^Usage:\s+(npm run|npm start|counterfoil)/),
      err: '',
    });
  }
});

it('keys reseal ends as what has findings where no key opens a value', async () => {
  const lost = 'v1.lost.aa.bb';
  const { pool } = app.service;
  await pool.query(
    'insert into account_totp (account_id, secret, created_at) select id, $1, 0 from accounts limit 1',
    [lost],
  );
  const own = { ...env, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
  const { code, out, err } = await runCommand('keys', ['reseal', '--json'], own);
  expect([code, JSON.parse(out), err]).toEqual([
    6,
    { resealed: 0, unopened: 1 },
    'No key opens 1: they stay as they are.\n',
  ]);
  await pool.query('delete from account_totp where secret = $1', [lost]);
});

it('X23 a store without the schema of this version is told by one line, and left as it is', async () => {
  const empty = await createEmptyDatabase();
  try {
    const ask = (name: string, ...words: string[]) => runCommand(name, words, { DATABASE_URL: empty.url });
    const doctor = await ask('doctor', '--json');
    expect([doctor.code, doctor.err]).toEqual([6, '']);
    expect(parseLines(doctor.out)).toEqual([
      { check: 'migrations', status: 'fail', message: expect.any(String), remedy: expect.any(String) },
    ]);
    for (const [name, ...words] of [['invariants'], ['processes'], ['keys', 'list'], ['retention', 'status']])
      expect([name, await ask(name ?? '', ...words)]).toEqual([
        name,
        {
          code: 3,
          out: '',
          err: expect.stringMatching(/^\d+ migration\(s\) of this version are not in the store.*\n$/),
        },
      ]);
  } finally {
    await empty.drop();
  }
});

it('a command whose reader has seen enough goes on to its end', async () => {
  // The build takes long; the pipe is closed before the first line.
  expect((await run('retention', 'status')).code).toBe(0);
  const listing = 'node server/dist/run/retention.js status; echo $? >&2';
  const told = promisify(execFile)('bash', ['-c', `{ ${listing}; } | true; exit 0`], {
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    env: { ...process.env, ENV_FILE: '', ...env },
  });
  expect(await told).toEqual({ stdout: '', stderr: '0\n' });
});
