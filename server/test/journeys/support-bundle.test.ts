/** What is handed to whoever helps: enough to help by, and nothing of people or secrets. */
import { execFileSync } from 'node:child_process';
import { access, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unpackLetter } from '../../src/domain/mails/packed-letter.ts';
import { buy } from '../support/buying.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { runCommand } from '../support/run-command.ts';

const BUYER = {
  email: 'ada.lovelace@mail.example',
  name: 'Ada Lovelace',
  ip: '203.0.113.77',
};
const EMAIL = /[^\s"'<>()[\],;:/*]+@[^\s"'<>()[\],;:/*]+/;
const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/;
/** Keys of ours, of processors and of webhooks. */
const KEY = /\b(?:pub|sec|whsec|sk|pk|rk)_[A-Za-z0-9_]{8,}/;
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

let app: TestApp;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'bundle-'));
  let url = '';
  const through = async (given: string) => {
    url = given;
    return given;
  };
  app = await createTestApp({ DATA_DIR: folder }, undefined, { through });
  env = {
    ...{ DATABASE_URL: url, DATA_DIR: folder, SECRETS_KEY, PUBLIC_URL: 'https://ada-lovelace.example' },
    ...{ METRICS_TOKEN: 'a-token-of-hers', MAIL_FROM: 'ada@shop.example', TRUST_PROXY: '198.51.100.9' },
    ...{ EGRESS_ALLOW_CIDRS: '10.20.30.40/32', BACKUP_DIR: '', LOG_LEVEL: 'info' },
  };
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** What a careless line of the log may hold. */
function writeLog(file: string): Promise<void> {
  const line = (fields: Record<string, unknown>) => JSON.stringify({ level: 50, time: 1_000, ...fields });
  const message = `${BUYER.name} <${BUYER.email}> was refused`;
  const stack = `Error: ${message}\n    at send (file:///app/mail.js:1:2)`;
  const lines = [
    line({
      msg: 'a mail was not sent',
      kind: 'send_mail',
      attempt: 3,
      err: { type: 'Error', message, stack },
    }),
    line({ msg: message, err: { type: 'Error', message, stack: '' } }),
    line({ msg: 'slow', route: '/v0/orders/{id}', ms: 900, ip: BUYER.ip, userName: BUYER.name }),
    line({ msg: `asked from ${BUYER.ip}`, status: 200 }),
    `${BUYER.name} typed this`,
  ];
  return writeFile(file, `${lines.join('\n')}\n`);
}

/** Whatever the store holds as text of people, and who can get in by it. */
async function listSecrets(): Promise<string[]> {
  const { rows } = await app.service.pool.query<{ word: string }>(`
    select email as word from accounts union select email from users union select recipient from mails
    union select letter from mails union select url from webhooks union select secret from webhooks
    union select name from workspaces union select public_key from api_keys`);
  return rows
    .map(({ word }) => word && unpackLetter(word))
    .filter((word) => word !== null && word.length > 3);
}

it('O47 a bundle of a store with buyers, keys and mails tells of none of them', async () => {
  const offersIds = [await makeOffer(app.test)];
  const { status } = await buy(app.test, {
    ...{ offersIds, userEmail: BUYER.email },
    billingDetails: { countryCode: 'DE', firstName: 'Ada', lastName: 'Lovelace' },
  });
  expect(status).toBe(200);
  const hook = { url: 'https://8.8.8.8/of-ada', events: ['payment_success'] };
  await app.test.post('/v0/webhooks/create', hook);
  await app.wired.worker.runDue();
  const [out, log] = [path.join(folder, 'bundle.json'), path.join(folder, 'service.log')];
  await writeLog(log);
  const ran = await runCommand('support-bundle', ['--out', out, '--log', log, '--json', '--quiet'], env);
  expect([ran.code, ran.err]).toEqual([0, '']);
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  const text = await readFile(out, 'utf8');
  expect(JSON.parse(ran.out)).toEqual({ file: out, bytes: Buffer.byteLength(text) });

  for (const pattern of [EMAIL, IPV4, KEY]) expect(text.match(pattern)?.[0]).toBeUndefined();
  const { secretKey, publicKey } = app.test.keys;
  const settings = Object.values(env).filter((value) => !['', 'info'].includes(value));
  const known = [...Object.values(BUYER), secretKey, publicKey, os.hostname(), 'Lovelace', 'ada-lovelace'];
  for (const word of [...known, ...settings, ...(await listSecrets())])
    expect([word, text.includes(word)]).toEqual([word, false]);

  const told = JSON.parse(text);
  expect(told.doctor).toContainEqual(expect.objectContaining({ check: 'migrations', status: 'ok' }));
  expect(told.settings).toContainEqual({ name: 'LOG_LEVEL', value: 'info', source: 'environment' });
  expect(told.settings).toContainEqual({ name: 'PUBLIC_URL', value: '(set)', source: 'environment' });
  expect(told.schema.tables.map(({ table }: { table: string }) => table)).toContain('orders');
  expect(told.schema.migrations.at(0)).toMatch(/^0001_/);
  expect(told.store.tables.length).toBeGreaterThan(10);
  expect(told.log).toEqual({
    leftOut: 1,
    lines: [
      {
        ...{ level: 50, time: 1_000, kind: 'send_mail', attempt: 3, msg: 'a mail was not sent' },
        err: { type: 'Error', code: null, frames: ['    at send (file:///app/mail.js:1:2)'] },
      },
      { level: 50, time: 1_000, err: { type: 'Error', code: null, frames: [] } },
      { level: 50, time: 1_000, route: '/v0/orders/{id}', ms: 900, msg: 'slow' },
      { level: 50, time: 1_000, status: 200, msg: 'asked from ***' },
    ],
  });
});

it('writes over nothing, and says what it cannot read', async () => {
  const out = path.join(folder, 'there.json');
  await writeFile(out, 'kept');
  expect((await runCommand('support-bundle', ['--out', out], env)).code).toBe(2);
  expect(await readFile(out, 'utf8')).toBe('kept');
  const missing = ['--out', path.join(folder, 'new.json'), '--log', path.join(folder, 'none.log')];
  expect(await runCommand('support-bundle', missing, env)).toMatchObject({
    code: 2,
    err: expect.stringContaining('The log cannot be read'),
  });
});

it('O46 doctor tells of a store that is away as of anything else that it finds', async () => {
  const { code, out, err } = await runCommand('doctor', ['--json'], {
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
  });
  expect([code, err]).toEqual([6, '']);
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    {
      ...{ check: 'store', status: 'fail', remedy: expect.any(String) },
      message: expect.stringMatching(/^the store cannot be reached: .*ECONNREFUSED/),
    },
  ]);
});

it('O47 leaves no half of a bundle where it does not fit', async () => {
  const out = path.join(folder, 'too-large.json');
  const whole = await runCommand('support-bundle', ['--out', path.join(folder, 'whole.json')], env);
  expect(whole.code).toBe(0);
  const command = path.resolve(import.meta.dirname, '../../dist/run/support-bundle.js');
  // A file may have 4 KiB here, as where the disk has no more.
  const words = ['-c', 'ulimit -f 4 && exec "$0" "$@"', process.execPath, command, '--out', out];
  const { VITEST: _vitest, ...inherited } = process.env;
  expect(() =>
    execFileSync('bash', words, { env: { ...inherited, ENV_FILE: '', ...env }, stdio: 'pipe' }),
  ).toThrow('EFBIG');
  await expect(access(out)).rejects.toThrow('ENOENT');
});
