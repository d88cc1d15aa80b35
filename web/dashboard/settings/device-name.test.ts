import { expect, it } from 'vitest';
import { toDevice } from './device-name.ts';

it('calls browsers as people do', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  expect(toDevice(chrome)).toBe('Chrome, Linux');
  expect(toDevice(`${chrome} Edg/140.0`)).toBe('Edge, Linux');
  expect(
    toDevice('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1'),
  ).toBe('Safari, iOS');
  expect(toDevice('curl/8.5.0')).toBe('curl/8.5.0');
  expect(toDevice('')).toBe('');
});
