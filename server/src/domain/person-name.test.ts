import { expect, it } from 'vitest';
import { toPersonName } from './person-name.ts';

it.each([
  ['Ada', 'Lovelace', 'Ada Lovelace'],
  ['太郎', '山田', '山田 太郎'],
  ['さくら', '佐藤', '佐藤 さくら'],
  ['민준', '김', '김 민준'],
  // Written in Latin letters, it is said as its bearer has typed it.
  ['Taro', 'Yamada', 'Taro Yamada'],
  ['太郎', 'Smith', '太郎 Smith'],
  ['', '山田', '山田'],
  [null, undefined, ''],
])('a name of %s and %s is said as its script says it', (firstName, lastName, said) => {
  expect(toPersonName({ firstName, lastName })).toBe(said);
});
