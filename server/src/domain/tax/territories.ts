/** A part of a country with tax rules of its own, and whether the EU's VAT rules hold in it. */
export interface Territory {
  country: string;
  territory: string;
  isInEuVat: boolean;
}

interface PostalArea extends Territory {
  /** The country that it is a part of, where letters may also be addressed by way of its neighbour. */
  lies?: string;
  /** Matches a postal code in capitals, without spaces, dashes and the letters of a country before it. */
  pattern: RegExp;
}

// Article 6 of Directive 2006/112/EC names the territories outside the VAT area; the rest are inside it with
// rates of their own, or outside the EU under a member state's or the United Kingdom's code.
const POSTAL_AREAS: readonly PostalArea[] = [
  { country: 'ES', territory: 'IC', isInEuVat: false, pattern: /^3[58]\d{3}$/ },
  { country: 'ES', territory: 'CE', isInEuVat: false, pattern: /^51\d{3}$/ },
  { country: 'ES', territory: 'ML', isInEuVat: false, pattern: /^52\d{3}$/ },
  { country: 'FI', territory: 'AX', isInEuVat: false, pattern: /^22\d{3}$/ },
  { country: 'DE', territory: 'BUESINGEN', isInEuVat: false, pattern: /^78266$/ },
  { country: 'CH', lies: 'DE', territory: 'BUESINGEN', isInEuVat: false, pattern: /^8238$/ },
  { country: 'DE', territory: 'HELIGOLAND', isInEuVat: false, pattern: /^27498$/ },
  // Both Italian codes changed; buyers still know the former ones.
  { country: 'IT', territory: 'LIVIGNO', isInEuVat: false, pattern: /^(23041|23030)$/ },
  { country: 'IT', territory: 'CAMPIONE', isInEuVat: false, pattern: /^(22061|22060)$/ },
  { country: 'CH', lies: 'IT', territory: 'CAMPIONE', isInEuVat: false, pattern: /^6911$/ },
  { country: 'GR', territory: 'ATHOS', isInEuVat: false, pattern: /^63086$/ },
  { country: 'PT', territory: 'MADEIRA', isInEuVat: true, pattern: /^9[0-4]\d{2}(\d{3})?$/ },
  { country: 'PT', territory: 'AZORES', isInEuVat: true, pattern: /^9[5-9]\d{2}(\d{3})?$/ },
  { country: 'AT', territory: 'MITTELBERG', isInEuVat: true, pattern: /^(6691|699[123])$/ },
  { country: 'DE', lies: 'AT', territory: 'MITTELBERG', isInEuVat: true, pattern: /^(87491|8756[789])$/ },
  { country: 'FR', territory: 'GP', isInEuVat: false, pattern: /^971\d{2}$/ },
  { country: 'FR', territory: 'MQ', isInEuVat: false, pattern: /^972\d{2}$/ },
  { country: 'FR', territory: 'GF', isInEuVat: false, pattern: /^973\d{2}$/ },
  { country: 'FR', territory: 'RE', isInEuVat: false, pattern: /^974\d{2}$/ },
  { country: 'FR', territory: 'YT', isInEuVat: false, pattern: /^976\d{2}$/ },
  { country: 'FR', territory: 'COM', isInEuVat: false, pattern: /^(975|977|978|98[678])\d{2}$/ },
  { country: 'FR', territory: 'MC', isInEuVat: true, pattern: /^980\d{2}$/ },
  // Northern Ireland follows the EU for goods only: for services it is the United Kingdom.
  { country: 'GB', territory: 'NI', isInEuVat: false, pattern: /^BT\d/ },
  { country: 'GB', territory: 'IM', isInEuVat: false, pattern: /^IM\d/ },
  { country: 'JE', territory: 'JE', isInEuVat: false, pattern: /^JE\d/ },
  { country: 'GG', territory: 'GG', isInEuVat: false, pattern: /^GY\d/ },
];

/** Country codes that stand for a part of another country's tax area; `US` = a region of the United States. */
export const TERRITORY_COUNTRIES: ReadonlyMap<string, Territory | 'US'> = new Map<string, Territory | 'US'>([
  ['AX', { country: 'FI', territory: 'AX', isInEuVat: false }],
  ['IC', { country: 'ES', territory: 'IC', isInEuVat: false }],
  ['EA', { country: 'ES', territory: 'CE', isInEuVat: false }],
  ['GP', { country: 'FR', territory: 'GP', isInEuVat: false }],
  ['MQ', { country: 'FR', territory: 'MQ', isInEuVat: false }],
  ['GF', { country: 'FR', territory: 'GF', isInEuVat: false }],
  ['RE', { country: 'FR', territory: 'RE', isInEuVat: false }],
  ['YT', { country: 'FR', territory: 'YT', isInEuVat: false }],
  ['MC', { country: 'FR', territory: 'MC', isInEuVat: true }],
  ['IM', { country: 'GB', territory: 'IM', isInEuVat: false }],
  ['PR', 'US'],
  ['GU', 'US'],
  ['VI', 'US'],
  ['AS', 'US'],
  ['MP', 'US'],
]);

// The Crown dependencies' post codes look British, so that an address with country GB may carry them.
const POSTED_UNDER: Readonly<Record<string, string>> = { JE: 'GB', GG: 'GB' };

/** The special territory that a postal code (capitals, no spaces, dashes or letters of a country) lies in; null = none. */
export function findTerritory(countryCode: string, postalCode: string): Territory | null {
  const area = POSTAL_AREAS.find(
    ({ country, pattern }) => (POSTED_UNDER[country] ?? country) === countryCode && pattern.test(postalCode),
  );
  if (area === undefined) return null;
  return { country: area.lies ?? area.country, territory: area.territory, isInEuVat: area.isInEuVat };
}
