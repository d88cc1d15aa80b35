import type { TaxCategory } from '../taxability.ts';

/** A state does not tax the category, or did not until the date (YYYY-MM-DD) on which it began to. */
type Exemption = 'exempt' | `${number}-${number}-${number}`;

function exempt(states: string): Record<string, Exemption> {
  return Object.fromEntries(states.split(' ').map((state): [string, Exemption] => [state, 'exempt']));
}

// Music, books, films, items of games: taxed where the state's law names digital goods or products.
const DIGITAL_GOOD: Readonly<Record<string, Exemption>> = {
  ...exempt('CA FL IL KS MA MI MO ND NV NY OK SC VA WV'),
  GA: '2024-01-01',
  IA: '2019-01-01',
  LA: '2025-01-01',
  MD: '2021-03-14',
  PA: '2016-08-01',
  RI: '2019-10-01',
};

// Prewritten software that is downloaded: taxed as tangible property in more states than digital goods are.
const SOFTWARE: Readonly<Record<string, Exemption>> = {
  ...exempt('AR CA CO FL GA ID MO NV OK SC VA'),
  IA: '2019-01-01',
  MD: '2021-03-14',
};

// Software used online, and other services by wire. Ohio, Iowa and Connecticut tax business use apart; the
// consumer's treatment is what the table holds.
const ONLINE: Readonly<Record<string, Exemption>> = {
  ...exempt('AL AR CA CO FL GA ID IL IN KS ME MI MN MO MS NC ND NE NJ NV OH OK VA WI WY'),
  IA: '2019-01-01',
  KY: '2023-01-01',
  LA: '2025-01-01',
  MD: '2021-03-14',
  RI: '2018-10-01',
  VT: '2024-07-01',
};

/** Which categories a state leaves untaxed; a state that is not named taxes the category. */
export const US_EXEMPTIONS: Readonly<Partial<Record<TaxCategory, Readonly<Record<string, Exemption>>>>> = {
  digital_good: DIGITAL_GOOD,
  software: SOFTWARE,
  saas: ONLINE,
  digital_service: ONLINE,
};
