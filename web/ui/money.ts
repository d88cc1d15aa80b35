/** A currency as the server describes it: its own table decides on the decimals, not the browser's. */
export interface Currency {
  currency: string;
  currencyDecimals: number;
}

// The server's table, not Intl's: browsers follow cash in use, and differ for HUF, IDR and a dozen more.
const WITHOUT_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const WITH_THREE_DECIMALS = 'BHD JOD KWD OMR TND';

/** A currency's decimals where an object does not tell them. */
export function decimalsOf(currency: string): number {
  if (WITHOUT_DECIMALS.split(' ').includes(currency)) return 0;
  return WITH_THREE_DECIMALS.split(' ').includes(currency) ? 3 : 2;
}

/** Characters of an amount beyond which a headline of it is set smaller. */
export const LONG_AMOUNT = 11;

/**
 * Writes minor units as a decimal number, by moving the point only: 4900 with 2 decimals is `49.00`.
 * A float would lose cents of very large sums.
 */
export function toDecimalString(amountMinor: number, decimals: number): string {
  const sign = amountMinor < 0 ? '-' : '';
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** An amount in minor units as the language writes it, with all decimals of the currency. */
export function formatMoney(amountMinor: number, currency: Currency, language: string): string {
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: currency.currency,
    minimumFractionDigits: currency.currencyDecimals,
    maximumFractionDigits: currency.currencyDecimals,
  });
  // format() takes exact decimal strings; the type wants proof that the text is a number.
  return format.format(toDecimalString(amountMinor, currency.currencyDecimals) as `${number}`);
}

/** A rate such as 25.5 in percent, as the language writes it. */
export function formatPercentage(percentage: number, language: string): string {
  const format = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 4 });
  return format.format(`${percentage}E-2` as `${number}`);
}
