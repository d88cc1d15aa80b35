/** Currencies: how Stripe counts them, its floors, and the fixed table by which the stand-in converts. */
import { type ApiError, isRefused } from '../api/errors.ts';

/** Units of one US dollar's hundredth, per major unit: the worth of a unit in dollars, fixed for ever. */
const WORTH = `usd 1 aed 0.27 afn 0.014 all 0.011 amd 0.0026 ang 0.56 aoa 0.0011 ars 0.001 aud 0.65 awg 0.56 azn 0.59
bam 0.56 bbd 0.5 bdt 0.0083 bgn 0.56 bhd 2.65 bif 0.00034 bmd 1 bnd 0.75 bob 0.14 brl 0.18 bsd 1 bwp 0.073 byn 0.3 bzd 0.5
cad 0.72 cdf 0.00035 chf 1.2 clp 0.001 cny 0.14 cop 0.00025 crc 0.002 cve 0.01 czk 0.045 djf 0.0056 dkk 0.15 dop 0.016
dzd 0.0075 egp 0.02 etb 0.0068 eur 1.1 fjd 0.44 fkp 1.28 gbp 1.28 gel 0.37 gip 1.28 gmd 0.014 gnf 0.00012 gtq 0.13 gyd 0.0048
hkd 0.13 hnl 0.038 htg 0.0076 huf 0.0028 idr 0.00006 ils 0.28 inr 0.012 isk 0.008 jmd 0.0063 jod 1.41 jpy 0.0067 kes 0.0077
kgs 0.011 khr 0.00025 kmf 0.0023 krw 0.0007 kwd 3.25 kyd 1.2 kzt 0.0019 lak 0.000046 lbp 0.000011 lkr 0.0033 lrd 0.005
lsl 0.056 mad 0.1 mdl 0.058 mga 0.00022 mkd 0.018 mmk 0.00048 mnt 0.00028 mop 0.12 mur 0.022 mvr 0.065 mwk 0.00058 mxn 0.055
myr 0.23 mzn 0.016 nad 0.056 ngn 0.00065 nio 0.027 nok 0.094 npr 0.0073 nzd 0.6 omr 2.6 pab 1 pen 0.27 pgk 0.24 php 0.017
pkr 0.0036 pln 0.26 pyg 0.00013 qar 0.27 ron 0.22 rsd 0.0094 rub 0.011 rwf 0.0007 sar 0.27 sbd 0.12 scr 0.07 sek 0.1 sgd 0.75
shp 1.28 sle 0.044 sos 0.0018 srd 0.027 std 0.000045 szl 0.056 thb 0.03 tjs 0.1 tnd 0.33 top 0.42 try 0.025 ttd 0.15 twd 0.031
tzs 0.0004 uah 0.024 ugx 0.00027 uyu 0.025 uzs 0.00008 vnd 0.00004 vuv 0.0084 wst 0.36 xaf 0.0017 xcd 0.37 xcg 0.56 xof 0.0017
xpf 0.0092 yer 0.004 zar 0.056 zmw 0.04`;

const RATES = new Map(
  WORTH.split(/\s(?=[a-z])/).map((entry): [string, number] => {
    const [code = '', worth = '1'] = entry.split(' ');
    return [code, Number(worth)];
  }),
);

/** https://docs.stripe.com/currencies#zero-decimal */
const ZERO_DECIMAL = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
/** Counted in thousandths, of which the last digit must be 0. */
const THREE_DECIMAL = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);
/** Without decimals, and yet counted in hundredths. */
const WHOLE_IN_HUNDREDTHS = new Set(['isk', 'ugx']);

/** https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const MINIMA: Readonly<Record<string, number>> = {
  ...{
    usd: 50,
    aed: 200,
    aud: 50,
    bgn: 100,
    brl: 50,
    cad: 50,
    chf: 50,
    czk: 1500,
    dkk: 250,
    eur: 50,
    gbp: 30,
  },
  ...{ hkd: 400, huf: 17500, inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200 },
  ...{ sek: 300, sgd: 50, thb: 1000 },
};
const MAX_DIGITS = 8;
const MAX_DIGITS_OF: Readonly<Record<string, number>> = { idr: 12 };

export function isCurrency(code: string): boolean {
  return RATES.has(code);
}

export function toDecimals(currency: string): number {
  return ZERO_DECIMAL.has(currency) ? 0 : THREE_DECIMAL.has(currency) ? 3 : 2;
}

/** Minor units of `to` for one minor unit of `from`. */
export function toRate(from: string, to: string): number {
  const rate = (RATES.get(from) ?? 1) / (RATES.get(to) ?? 1);
  const scaled = rate * 10 ** (toDecimals(to) - toDecimals(from));
  return Number(scaled.toPrecision(6));
}

export function convert(amount: number, from: string, to: string): number {
  return from === to ? amount : Math.round(amount * toRate(from, to));
}

/** Why the amount cannot be charged, or null. */
export function findAmountFault(amount: number, currency: string, settlement: string): ApiError | null {
  if (amount < 1) {
    return isRefused('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' });
  }
  const digits = MAX_DIGITS_OF[currency] ?? MAX_DIGITS;
  if (amount >= 10 ** digits) {
    return isRefused(`Amount must be no more than ${toText(10 ** digits - 1, currency)}`, {
      code: 'amount_too_large',
      param: 'amount',
    });
  }
  const step = THREE_DECIMAL.has(currency) ? 10 : WHOLE_IN_HUNDREDTHS.has(currency) ? 100 : 1;
  if (amount % step !== 0) {
    return isRefused(
      step === 10
        ? `Invalid amount: ${currency.toUpperCase()} amounts must be rounded to the nearest ten.`
        : `Invalid amount: ${currency.toUpperCase()} does not support decimal amounts.`,
      { code: 'invalid_charge_amount', param: 'amount' },
    );
  }
  return findFloor(amount, currency, settlement);
}

function findFloor(amount: number, currency: string, settlement: string): ApiError | null {
  const own = MINIMA[currency];
  if (own !== undefined && amount < own) {
    return isRefused(`Amount must be at least ${toText(own, currency)}`, {
      code: 'amount_too_small',
      param: 'amount',
    });
  }
  const floor = MINIMA[settlement];
  const settled = convert(amount, currency, settlement);
  if (own === undefined && floor !== undefined && settled < floor) {
    return isRefused(
      `Amount must convert to at least ${toText(floor, settlement)}. ${toText(amount, currency)} converts to approximately ${toText(settled, settlement)}.`,
      { code: 'amount_too_small', param: 'amount' },
    );
  }
  return null;
}

function toText(amount: number, currency: string): string {
  const decimals = toDecimals(currency);
  return `${(amount / 10 ** decimals).toFixed(decimals)} ${currency}`;
}
