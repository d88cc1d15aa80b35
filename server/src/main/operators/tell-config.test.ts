import { expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';
import { SETTING_NAMES } from '../../config-list.ts';
import { readSettings } from '../environment.ts';
import { tellConfig } from './tell-config.ts';

const tell = (env: Record<string, string>) => {
  const read = readSettings({ ENV_FILE: '', ...env });
  return new Map(tellConfig(read.env, read.sources).map(({ name, ...told }) => [name, told]));
};

it('tells every setting, with its default and what follows from others', () => {
  const told = tell({ PORT: '4000', PUBLIC_URL: 'https://shop.example' });
  expect([...told.keys()]).toEqual(SETTING_NAMES);
  expect(told.get('PORT')).toEqual({ value: '4000', source: 'environment' });
  expect(told.get('HOST')).toEqual({ value: '0.0.0.0', source: 'default' });
  expect(told.get('MAIL_FROM')).toEqual({ value: 'no-reply@shop.example', source: 'default' });
  expect(told.get('ROLE')).toEqual({ value: 'all', source: 'default' });
  expect(told.get('DATABASE_CONNECTIONS_MAX')).toEqual({ value: '20', source: 'default' });
  expect(told.get('SMTP_URL')).toEqual({ value: null, source: 'default' });
});

it('tells no secret, nor a password within an address', () => {
  const secrets = {
    DATABASE_URL: 'postgres://me:pa@ss-word@h1:5432,h2:5433/shop?sslpassword=pass-word&sslmode=require',
    SMTP_URL: 'smtps://me:pass-word@mail.example:465',
    METRICS_TOKEN: 'pass-word',
    SECRETS_KEY: 'A'.repeat(43),
    OIDC_ISSUER: 'https://who.example',
    OIDC_CLIENT_ID: 'me',
    OIDC_CLIENT_SECRET: 'pass-word',
  };
  const told = tell(secrets);
  expect(JSON.stringify([...told])).not.toMatch(/pass-word|ss-word|AAAA/);
  expect(told.get('DATABASE_URL')?.value).toBe(
    'postgres://***@h1:5432,h2:5433/shop?sslpassword=***&sslmode=require',
  );
  expect(told.get('METRICS_TOKEN')?.value).toBe('***');
});

it.each([
  ['smtps://apikey:pass-word@mail.example:465', 'smtps://***@mail.example:465'],
  ['smtps://ada@shop.example:pass-word@mail.example', 'smtps://***@mail.example'],
  ['smtp://ada%40shop.example@mail.example', 'smtp://***@mail.example'],
  ['smtp://mail.example:587', 'smtp://mail.example:587'],
])('tells of SMTP_URL=%s neither user nor password', (SMTP_URL, shown) => {
  expect(tell({ SMTP_URL }).get('SMTP_URL')?.value).toBe(shown);
});

it('tells no user of a store, wherever it is named', () => {
  const told = tell({ DATABASE_URL: 'postgres://h1/shop?user=ada&password=pass-word&sslmode=require' });
  expect(told.get('DATABASE_URL')?.value).toBe('postgres://h1/shop?user=***&password=***&sslmode=require');
});

it('refuses what a start would refuse', () => {
  expect(() => tell({ PORT: 'x' })).toThrow('PORT must be a whole number from 0 to 65535, not "x"');
  expect(() => parseConfig({ ROLE: 'boss' })).toThrow('ROLE must be one of all, api, worker, not "boss"');
});
