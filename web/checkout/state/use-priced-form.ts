import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, requestQuote } from '../../ui/api.ts';
import { toFormBody } from '../../ui/form.ts';
import { useLocale } from '../../ui/locale.tsx';
import type { CheckoutView, FormValues, Quote } from '../../ui/view.ts';

type QuoteProblem = Exclude<Answer<unknown>, { kind: 'ok' }>;

export interface PricedForm {
  values: FormValues;
  quote: Quote;
  /** The price shown is not yet that of the values. */
  isPricing: boolean;
  problem: QuoteProblem | null;
  change(patch: Partial<FormValues>): void;
  /** The values of this very moment. */
  read(): FormValues;
  /** Asks for the price at once; undefined when a later question overtook this one. */
  price(): Promise<Answer<{ quote: Quote }> | undefined>;
  acceptQuote(quote: Quote): void;
}

/** Fields the price hangs on, with the pause after the last key press before it is asked for again. */
const PRICE_DELAYS_MS: Partial<Record<keyof FormValues, number>> = {
  countryCode: 0,
  state: 0,
  type: 0,
  discountCode: 0,
  quantities: 200,
  postalCode: 400,
  companyName: 400,
  taxNumber: 400,
};

/** The buyer's answers and their price. Every change that the price hangs on asks again; the latest answer wins. */
export function usePricedForm(view: CheckoutView): PricedForm {
  const [values, setValues] = useState(view.form);
  const [quote, setQuote] = useState(view.quote);
  const [isPricing, setPricing] = useState(false);
  const [problem, setProblem] = useState<QuoteProblem | null>(null);
  const latest = useRef(view.form);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<AbortController | null>(null);

  const price = async () => {
    clearTimeout(timer.current);
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    setPricing(true);
    const answer = await requestQuote(view.apiUrl, toFormBody(latest.current, view), mine.signal);
    if (running.current !== mine) return undefined;
    running.current = null;
    setPricing(false);
    setProblem(answer.kind === 'ok' ? null : answer);
    if (answer.kind === 'ok') setQuote(answer.data.quote);
    return answer;
  };

  const change = (patch: Partial<FormValues>) => {
    const before = latest.current;
    latest.current = { ...before, ...patch };
    setValues(latest.current);
    const delays = Object.entries(PRICE_DELAYS_MS)
      // The entries' keys are those of the table above.
      .filter(([field]) => before[field as keyof FormValues] !== latest.current[field as keyof FormValues])
      .map(([, delayMs]) => delayMs);
    if (delays.length === 0) return;
    // An answer to the earlier values would be shown as the price of these.
    running.current?.abort();
    running.current = null;
    clearTimeout(timer.current);
    setPricing(true);
    timer.current = setTimeout(() => void price(), Math.max(...delays));
  };

  // What the buyer agrees to is said by the server, in the language of the page.
  const { language } = useLocale();
  const pricedIn = useRef(language);
  useEffect(() => {
    if (pricedIn.current === language) return;
    pricedIn.current = language;
    void price();
  }, [language]);

  const read = () => latest.current;
  return { values, quote, isPricing, problem, change, read, price, acceptQuote: setQuote };
}
