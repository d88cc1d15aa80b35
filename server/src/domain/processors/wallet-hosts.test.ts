import { expect, it } from 'vitest';
import { findWalletHosts } from './wallet-hosts.ts';

it('P16 names hosts that are reached by https, each once, ours first', () => {
  const authorizedDomains = [
    'https://shop.example',
    'shop.example',
    'game.example',
    '*.game.example',
    'http://plain.example',
    'https://shop.example:8443',
    'localhost',
    'https://127.0.0.1',
    '192.168.1.4',
  ];
  expect(findWalletHosts({ publicUrl: 'https://pay.example/', authorizedDomains })).toEqual([
    'pay.example',
    'shop.example',
    'game.example',
  ]);
});

it.each(['http://pay.example', 'https://pay.example:8443', 'https://localhost', 'https://10.0.0.1'])(
  'P16 leaves out %s as our own',
  (publicUrl) => {
    expect(findWalletHosts({ publicUrl, authorizedDomains: [] })).toEqual([]);
  },
);
