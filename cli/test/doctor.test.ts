import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../server/src/db/transaction.ts';
import { issueKeyPair } from '../../server/src/flows/workspaces/issue-key-pair.ts';
import { createTestApp, type TestApp } from '../../server/test/support/harness.ts';
import type { Io } from '../src/io.ts';
import { openTerminal, type Terminal, toEnv } from './terminal.ts';

let t: TestApp;
let terminal: Terminal;
beforeAll(async () => {
  t = await createTestApp();
  terminal = await openTerminal(t);
});
afterAll(async () => {
  t.app.server.closeAllConnections();
  await t.close();
});

interface Found {
  check: string;
  status: string;
  remedy: string | null;
}

const env = (changes: Record<string, string> = {}) => ({
  ...toEnv(terminal.origin, t.test.keys),
  ...changes,
});

async function examine(changes: Partial<Io> = {}) {
  const said = await terminal.run('doctor --json', { env: env(), ...changes });
  const found = said.out.map((line) => JSON.parse(line) as Found);
  const faults = found.filter(({ status }) => status !== 'ok');
  expect(said.exit).toBe(faults.length > 0 ? 6 : 0);
  expect(faults.every(({ remedy }) => typeof remedy === 'string' && remedy.length > 0)).toBe(true);
  return faults.map(({ check }) => check);
}

async function issue(terms: object) {
  const whole = { name: 'P', nowMs: Date.now(), scopes: null, readRequiresSecret: false, ...terms };
  const { ids, db } = t.service;
  return inTransaction(db, (tx) => issueKeyPair(tx, t.test.scope, { ids, terms: whole }));
}

async function keepConfig(text: string, mode: number): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'cli-config-'));
  await mkdir(join(home, 'counterfoil'));
  const file = join(home, 'counterfoil', 'config.json');
  await writeFile(file, text);
  await chmod(file, mode);
  return home;
}

/** A service behind TLS whose certificate ends soon. */
async function openEnding(days: number) {
  const folder = await mkdtemp(join(tmpdir(), 'cli-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const ask = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days} -subj /CN=localhost`;
  execFileSync('openssl', [...ask.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const server = createServer(
    { key: await readFile(key), cert: await readFile(cert) },
    (_, r) => void r.end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `https://localhost:${(server.address() as AddressInfo).port}` };
}

describe('doctor', () => {
  it('X23 finds nothing where all is sound', async () => {
    expect(await examine()).toEqual([]);
    expect((await terminal.run('doctor --quiet', { env: env() })).err).toEqual([]);
    // Beside a store whose half has found two, and one whose half has failed.
    const beside = await terminal.run('doctor --found-beside 2', { env: env() });
    expect([beside.exit, beside.err]).toEqual([0, ['2 found.']]);
    const failed = await terminal.run('doctor --found-beside 0', { env: env() });
    expect([failed.exit, failed.err]).toEqual([0, []]);
    const both = await terminal.run('doctor --found-beside 2', { env: env(), nodeVersion: '18.20.4' });
    expect([both.exit, both.err]).toEqual([6, ['3 found.']]);
  });

  it('X23 finds what is wrong on this machine: Node, rights, a file that is broken, nobody signed in', async () => {
    expect(await examine({ nodeVersion: '18.20.4' })).toEqual(['node']);
    expect(await examine({ env: env({ XDG_CONFIG_HOME: await keepConfig('{}', 0o644) }) })).toEqual([
      'config',
    ]);
    expect(await examine({ env: env({ XDG_CONFIG_HOME: await keepConfig('{', 0o600) }) })).toEqual([
      'config',
    ]);
    expect(await examine({ env: {} })).toEqual(['keys']);
  });

  it('X23 finds nothing beside a store whose keys lie elsewhere, and takes those in its DATA_DIR', async () => {
    const beside = async (changes: Partial<Io>) => {
      const said = await terminal.run('doctor --json --beside-store', changes);
      const found = said.out.map((line) => JSON.parse(line) as Found);
      return [said.exit, ...found.filter(({ status }) => status !== 'ok').map(({ check }) => check)];
    };
    expect(await beside({ env: {} })).toEqual([0]);
    const dataDir = await mkdtemp(join(tmpdir(), 'cli-data-'));
    const file = join(dataDir, 'credentials.json');
    await writeFile(file, JSON.stringify({ baseUrl: terminal.origin, test: t.test.keys }));
    const who = await terminal.run('whoami --json', { env: { DATA_DIR: dataDir } });
    expect(JSON.parse(who.out.join(''))).toMatchObject({ mode: 'test' });
    expect(await beside({ env: { DATA_DIR: dataDir } })).toEqual([0]);
    await writeFile(file, JSON.stringify({ baseUrl: 'http://127.0.0.1:9', test: t.test.keys }));
    expect(await beside({ env: { DATA_DIR: dataDir } })).toEqual([6, 'service']);
    await writeFile(file, 'none');
    expect(await beside({ env: { DATA_DIR: dataDir } })).toEqual([6, 'keys']);
    const half = { COUNTERFOIL_PUBLIC_KEY: t.test.keys.publicKey };
    expect(await beside({ env: half })).toEqual([6, 'keys']);
  });

  it('X23 tells that live stores are held, and not again where the half of the store has', async () => {
    const isHeld: Io['fetch'] = async (url, init) =>
      String(url).endsWith('/readyz') ? Response.json({ held: true }) : fetch(url, init);
    expect(await examine({ fetch: isHeld })).toEqual(['held']);
    const words = 'doctor --beside-store --held-beside --found-beside 1';
    const beside = await terminal.run(words, { env: env(), fetch: isHeld });
    expect([beside.exit, beside.err]).toEqual([0, ['1 found.']]);
    expect(beside.out.join('')).not.toContain('held');
  });

  it('X23 finds what is wrong on the way: no answer, clocks apart, a certificate that ends', async () => {
    expect(await examine({ env: env({ COUNTERFOIL_BASE_URL: 'http://127.0.0.1:9' }) })).toEqual(['service']);
    expect(await examine({ nowMs: () => Date.now() + 20_000 })).toEqual(['clock']);
    const { server, origin } = await openEnding(3);
    try {
      expect(await examine({ env: env({ COUNTERFOIL_BASE_URL: origin }) })).toContain('tls');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('X23 finds what is wrong with keys: unknown, ending, too narrow', async () => {
    const unknown = env({ COUNTERFOIL_SECRET_KEY: t.live.keys.secretKey });
    expect(await examine({ env: unknown })).toEqual(['keys']);
    const ending = await issue({ name: 'Ending' });
    await t.service.db
      .updateTable('apiKeys')
      .set({ expiresAt: Date.now() + 86_400_000 })
      .where('publicKey', '=', ending.publicKey)
      .execute();
    expect(await examine({ env: toEnv(terminal.origin, ending) })).toEqual(['keys']);
    const narrow = await issue({ scopes: ['products:read'] });
    expect(await examine({ env: toEnv(terminal.origin, narrow) })).toEqual(['scopes']);
  });

  it('X23 finds what is wrong with the service: another version, webhooks that fail, not ready', async () => {
    expect(await examine({ version: '9.9.0' })).toEqual(['version']);
    const hook = { url: 'https://8.8.8.8/hook', events: ['payment_success'] };
    const { id } = (await t.test.post('/v0/webhooks/create', hook)).body.data.webhook;
    const setHealth = (health: string) =>
      t.service.db.updateTable('webhooks').set({ health }).where('id', '=', id).execute();
    await setHealth('failing');
    expect(await examine()).toEqual(['webhooks']);
    await setHealth('ok');
    t.wired.readiness.isReady = false;
    expect(await examine()).toEqual(['service']);
    t.wired.readiness.isReady = true;
    expect(await examine()).toEqual([]);
  });
});
