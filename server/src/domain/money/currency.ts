/** The currency codes of the API, the specification's own list: it keeps some withdrawn ones (HRK, MRO, STD, VEF). */
export const CURRENCIES: readonly string[] = [
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN',
  'BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BWP BYN BZD',
  'CAD CDF CHF CLP CNY COP CRC CVE CZK',
  'DJF DKK DOP DZD',
  'EGP ETB EUR',
  'FJD FKP',
  'GBP GEL GIP GMD GNF GTQ GYD',
  'HKD HNL HRK HTG HUF',
  'IDR ILS INR ISK',
  'JMD JOD JPY',
  'KES KGS KHR KMF KRW KWD KYD KZT',
  'LAK LBP LKR LRD LSL',
  'MAD MDL MGA MKD MMK MNT MOP MRO MRU MUR MVR MWK MXN MYR MZN',
  'NAD NGN NIO NOK NPR NZD',
  'OMR',
  'PAB PEN PGK PHP PKR PLN PYG',
  'QAR',
  'RON RSD RUB RWF',
  'SAR SBD SCR SEK SGD SHP SLE SLL SOS SRD SSP STD STN SVC SZL',
  'THB TJS TND TOP TRY TTD TWD TZS',
  'UAH UGX USD UYU UZS',
  'VED VEF VES VND VUV',
  'WST',
  'XAF XCD XCG XOF XPF',
  'YER',
  'ZAR ZMW',
].flatMap((line) => line.split(' '));

// ISO 4217, not Intl: Intl's figures follow cash in use and differ for AFN, HUF, IDR and a dozen more.
const WITHOUT_DECIMALS = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);
const WITH_THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '));
const KNOWN = new Set(CURRENCIES);

/** Whether the text is one of `CURRENCIES`, in capitals as the API writes them. */
export function isCurrency(code: string): boolean {
  return KNOWN.has(code);
}

/** Decimal places of a currency's smallest unit. */
export function currencyDecimals(code: string): 0 | 2 | 3 {
  if (WITHOUT_DECIMALS.has(code)) return 0;
  return WITH_THREE_DECIMALS.has(code) ? 3 : 2;
}
