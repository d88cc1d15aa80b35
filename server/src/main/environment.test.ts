import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConfigError, parseConfig } from '../config.ts';
import { readEnvironment } from './environment.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-environment-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('reads a file of settings, and lets the environment win over it', async () => {
  const file = path.join(folder, 'settings');
  await writeFile(file, '# A comment\nPORT=4000\nPUBLIC_URL="https://shop.example"\n');
  const env = readEnvironment({ ENV_FILE: file, PORT: '5000' });
  expect(env).toMatchObject({ PORT: '5000', PUBLIC_URL: 'https://shop.example' });
});

it('reads the first setting of a file that begins with a byte order mark', async () => {
  const file = path.join(folder, 'of-windows');
  await writeFile(file, '\uFEFFPORT=4000\r\nLOG_LEVEL=info\r\n');
  expect(readEnvironment({ ENV_FILE: file })).toMatchObject({ PORT: '4000', LOG_LEVEL: 'info' });
});

it('names each line of the file that sets nothing by its number, and not by what stands in it', async () => {
  const file = path.join(folder, 'mistyped');
  const sound = [
    ...[
      '# PORT : 1\r',
      '\r',
      '  # b\r',
      'export A=1',
      'B="two',
      '# lines',
      '',
      'more" # y',
      'C =',
      "D='x' # y",
    ],
    ...['# of one" who', ''],
  ].join('\n');
  await writeFile(file, `${sound}PORT\n  s3cret : 3\r\nLOG_LEVEL=info`);
  const lines: string[] = [];
  const env = readEnvironment({ ENV_FILE: file }, (line) => lines.push(line));
  expect(env).toMatchObject({ A: '1', B: 'two\n# lines\n\nmore', LOG_LEVEL: 'info' });
  expect(lines).toEqual([`Passed over in ${file}, since there is no = in it: line 12, 13`]);
  await writeFile(file, sound);
  readEnvironment({ ENV_FILE: file }, (line) => lines.push(line));
  expect(lines).toHaveLength(1);
});

it('reads nothing where ENV_FILE is empty, and refuses a named file that is not there', () => {
  const env = { ENV_FILE: '', PORT: '5000' };
  expect(readEnvironment(env)).toBe(env);
  for (const file of [path.join(folder, 'none'), folder]) {
    const read = () => readEnvironment({ ENV_FILE: file });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(`ENV_FILE names ${file}, which cannot be read: `);
  }
});

it('reads a setting from the file that its name and _FILE name, as secrets are mounted', async () => {
  const file = path.join(folder, 'database-url');
  await writeFile(file, 'postgres://u:p@db/shop\n');
  expect(readEnvironment({ ENV_FILE: '', DATABASE_URL_FILE: file })).toMatchObject({
    DATABASE_URL: 'postgres://u:p@db/shop',
  });
  const both = { ENV_FILE: '', DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://db' };
  expect(() => readEnvironment(both)).toThrow('DATABASE_URL and DATABASE_URL_FILE are both set');
  const none = { ENV_FILE: '', SMTP_URL_FILE: path.join(folder, 'none') };
  expect(() => readEnvironment(none)).toThrow(/^SMTP_URL_FILE names .* which cannot be read$/);
});

it('refuses a file of a setting that is empty, as one that is not written yet', async () => {
  const file = path.join(folder, 'empty');
  await writeFile(file, ' \n');
  const read = () => readEnvironment({ ENV_FILE: '', METRICS_TOKEN_FILE: file });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(`METRICS_TOKEN_FILE names ${file}, which is empty`);
});

it('O54 passes over what Kubernetes sets for a Service of such a name, with one line', () => {
  const lines: string[] = [];
  const injected = {
    DATABASE_PORT: 'tcp://10.0.0.7:5432',
    DATABASE_PORT_5432_TCP_ADDR: '10.0.0.7',
    DATABASE_SERVICE_HOST: '10.0.0.7',
    METRICS_PORT: 'tcp://10.0.0.8:9090',
    METRICS_SERVICE_PORT_HTTP: '9090',
  };
  const env = readEnvironment({ ENV_FILE: '', PORT: '4000', ...injected }, (line) => lines.push(line));
  expect(env).toEqual({ ENV_FILE: '', PORT: '4000' });
  expect(lines).toEqual([expect.stringContaining(Object.keys(injected).join(', '))]);
  expect(parseConfig(env)).toMatchObject({ port: 4000, metricsPort: null });
});

it('O48 refuses a setting that nobody reads, with the nearest name', () => {
  const mistakes = [
    ['DATABASE_CONECTIONS_MAX', 'DATABASE_CONNECTIONS_MAX'],
    ['METRICS_TOKENS', 'METRICS_TOKEN'],
    ['DATABASE_URI', 'DATABASE_URL'],
  ] as const;
  for (const [name, nearest] of mistakes) {
    expect(() => readEnvironment({ ENV_FILE: '', [name]: '1' })).toThrow(
      `${name} is no setting; the nearest is ${nearest}`,
    );
  }
  expect(() => readEnvironment({ ENV_FILE: '', EDITOR: 'vi', DATABASES: '3' })).not.toThrow();
});

it('names the setting whose URL says a certificate that is not there', () => {
  const read = (name: string, query: string) =>
    readEnvironment({ ENV_FILE: '', [name]: `postgres://u:p@h1,h2/shop?sslmode=verify-full&${query}` });
  for (const name of ['DATABASE_URL', 'MIGRATE_DATABASE_URL', 'REPORTS_DATABASE_URL'])
    expect(() => read(name, 'sslrootcert=/nowhere/ca.pem')).toThrow(
      new ConfigError(`${name} says sslrootcert=/nowhere/ca.pem, which cannot be read`),
    );
  expect(() => read('DATABASE_URL', 'sslcert=/nowhere/own.pem')).toThrow('says sslcert=/nowhere/own.pem');
  expect(() => read('DATABASE_URL', 'sslrootcert=system')).not.toThrow();
});
