/** What the demo sells, and to whom: names, prices, countries and cards, with how often each is met. */

export const CURRENCY = 'USD';

export const SINGLES = [
  { name: 'Lantern Bay', type: 'Game', price: 2999, weight: 6 },
  { name: 'Lantern Bay: Original Soundtrack', type: 'DigitalDownload', price: 999, weight: 3 },
  { name: 'Paper Kingdoms', type: 'Game', price: 1999, weight: 5 },
  { name: 'Inkwell Brushes, Volume 2', type: 'DigitalDownload', price: 1490, weight: 4 },
  { name: 'Contour Pro 5', type: 'SoftwareKey', price: 7900, weight: 3 },
  { name: 'Contour Pro 5, upgrade from 4', type: 'SoftwareKey', price: 3900, weight: 2 },
  { name: 'Field Notes on Sound Design', type: 'DigitalDownload', price: 2450, weight: 2 },
];

export const PLANS = [
  { name: 'Contour Cloud Solo', price: 900, unit: 'month', trialDays: 14, weight: 8 },
  { name: 'Contour Cloud Team', price: 2900, unit: 'month', trialDays: null, weight: 4 },
  { name: 'Contour Cloud Studio', price: 9900, unit: 'month', trialDays: null, weight: 1 },
  { name: 'Contour Cloud Solo, yearly', price: 9000, unit: 'year', trialDays: null, weight: 3 },
];

export const COUNTRIES = [
  { countryCode: 'US', state: 'CA', postalCode: '94110', weight: 26 },
  { countryCode: 'US', state: 'NY', postalCode: '11201', weight: 10 },
  { countryCode: 'DE', postalCode: '10115', weight: 18 },
  { countryCode: 'GB', postalCode: 'SW1A 1AA', weight: 14 },
  { countryCode: 'FR', postalCode: '75011', weight: 9 },
  { countryCode: 'PL', postalCode: '00-001', weight: 7 },
  { countryCode: 'JP', postalCode: '150-0001', weight: 6 },
  { countryCode: 'CA', state: 'ON', postalCode: 'M5V 2T6', weight: 5 },
  { countryCode: 'NL', postalCode: '1012 JS', weight: 5 },
];

const VISA = '4242424242424242';
export const CARDS = [
  { card: VISA, weight: 92 },
  { card: '4000000000000002', weight: 4 },
  { card: '4000000000000259', weight: 1 },
];
/** Of a subscription: some can be charged once alone. */
export const PLAN_CARDS = [
  { card: VISA, weight: 90 },
  { card: '4000000000000341', weight: 8 },
  { card: '4000000000000002', weight: 2 },
];

export const FIRST_NAMES = [
  'Ada',
  'Mina',
  'Jonas',
  'Sofia',
  'Piotr',
  'Aiko',
  'Lena',
  'Omar',
  'Chloé',
  'Marek',
  'Grace',
  'Hugo',
];
export const LAST_NAMES = [
  'Novak',
  'Weber',
  'Dubois',
  'Tanaka',
  'Kowalska',
  'Hughes',
  'Moreau',
  'Okafor',
  'Silva',
  'Brandt',
  'Reyes',
  'Lind',
];
